//! A small driver for Chromium over the DevTools protocol: what a person does with mouse, fingers and keys, and what
//! he sees.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long anything may take.
pub const PATIENCE: Duration = Duration::from_secs(40);

/// Where Chromium is, if it is anywhere.
pub fn find() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path)
        .flat_map(|folder| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name)));
    named.into_iter().chain(on_path).find(|file| file.is_file())
}

/// A running Chromium with a fresh profile.
pub struct Chromium {
    process: Child,
    profile: PathBuf,
    port: u16,
}

impl Chromium {
    pub fn start(program: &Path) -> Self {
        let profile = std::env::temp_dir().join(format!("turnstone-browser-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&profile);
        std::fs::create_dir_all(&profile).unwrap();
        let process = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-dev-shm-usage", "--remote-debugging-port=0", "--window-size=1280,860"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let since = Instant::now();
        let file = profile.join("DevToolsActivePort");
        let port = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(port) = text.lines().next().and_then(|line| line.parse().ok()) {
                break port;
            }
            assert!(since.elapsed() < PATIENCE, "Chromium does not open its port");
            std::thread::sleep(Duration::from_millis(50));
        };
        Chromium { process, profile, port }
    }

    /// A new tab, before all others.
    pub fn tab(&self, url: &str) -> Tab {
        let target = self.http("PUT", &format!("/json/new?{url}"));
        let tab = Tab::attach(target["webSocketDebuggerUrl"].as_str().unwrap());
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab
    }

    /// The worker that says things for the page at this address; it has no page of its own.
    pub fn worker(&self, address: &str) -> Tab {
        let since = Instant::now();
        loop {
            let targets = self.http("GET", "/json/list");
            let found = targets.as_array().into_iter().flatten().find(|target| {
                target["type"] == "service_worker"
                    && target["url"].as_str().is_some_and(|url| url.starts_with(address))
            });
            if let Some(worker) = found {
                return Tab::attach(worker["webSocketDebuggerUrl"].as_str().unwrap());
            }
            assert!(since.elapsed() < PATIENCE, "there is no worker: {targets}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Asks Chromium itself.
    fn http(&self, method: &str, path: &str) -> Value {
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port);
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        // The line is kept open: the answer is whole when its JSON is.
        let (mut answer, mut part) = (Vec::new(), [0; 4096]);
        loop {
            let count = stream.read(&mut part).unwrap();
            assert!(count > 0, "Chromium does not answer: {}", String::from_utf8_lossy(&answer));
            answer.extend(&part[..count]);
            let text = String::from_utf8_lossy(&answer);
            let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
            if let Ok(told) = serde_json::from_str(body) {
                return told;
            }
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        // Its helpers end a moment later, and write to the last.
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.profile).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Something that a reader of the screen finds.
#[derive(Debug)]
pub struct Node {
    pub role: String,
    pub name: String,
    /// To act on it.
    pub handle: i64,
    /// What it lies in.
    pub parent: String,
}

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

/// One tab.
pub struct Tab {
    socket: RefCell<Socket>,
    count: RefCell<u64>,
    /// What went wrong on the page.
    pub errors: RefCell<Vec<String>>,
}

impl Tab {
    fn attach(url: &str) -> Self {
        let (socket, _) = tungstenite::connect(url).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        Tab { socket: socket.into(), count: 0.into(), errors: Vec::new().into() }
    }

    /// Calls a method of the protocol; notes what the page complains of meanwhile.
    pub fn call(&self, method: &str, params: Value) -> Value {
        self.answer(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same for what may be gone.
    pub fn try_call(&self, method: &str, params: Value) -> Option<Value> {
        self.answer(method, params).ok()
    }

    fn answer(&self, method: &str, params: Value) -> Result<Value, String> {
        *self.count.borrow_mut() += 1;
        let id = *self.count.borrow();
        let text = json!({ "id": id, "method": method, "params": params }).to_string();
        let mut socket = self.socket.borrow_mut();
        socket.send(Message::text(text)).unwrap();
        loop {
            let message = socket.read().unwrap_or_else(|error| panic!("{method}: {error}"));
            let Ok(text) = message.to_text() else { continue };
            let Ok(mut value) = serde_json::from_str::<Value>(text) else { continue };
            if value["id"] == id {
                if !value["error"].is_null() {
                    return Err(value["error"].to_string());
                }
                return Ok(value["result"].take());
            }
            self.note(&value);
        }
    }

    fn note(&self, event: &Value) {
        let params = &event["params"];
        let bad = match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => Some(params["exceptionDetails"].to_string()),
            "Log.entryAdded" if params["entry"]["level"] == "error" => Some(params["entry"].to_string()),
            "Runtime.consoleAPICalled" if params["type"] == "error" => Some(params["args"].to_string()),
            _ => None,
        };
        self.errors.borrow_mut().extend(bad);
    }

    /// The value of an expression on the page.
    pub fn eval(&self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    pub fn is(&self, expression: &str) -> bool {
        self.eval(&format!("Boolean({expression})")) == true
    }

    pub fn text(&self, expression: &str) -> String {
        self.eval(expression).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let since = Instant::now();
        while !self.is(expression) {
            if since.elapsed() > PATIENCE {
                let shown = self.text("document.body.innerText");
                panic!("waited in vain for {expression}; the page shows:\n{shown}");
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    pub fn go(&self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.wait("document.readyState === 'complete'");
    }

    pub fn reload(&self) {
        self.eval("window.before = true");
        self.call("Page.reload", json!({}));
        self.wait("!window.before && document.readyState === 'complete'");
    }

    /// The middle of the first element that a selector finds, brought into sight.
    fn place(&self, selector: &str) -> (f64, f64) {
        self.find(selector).unwrap_or_else(|| panic!("nothing like {selector}"))
    }

    /// Waits until nothing is on its way and it lies open to the pointer: a page that is just being filled moves below
    /// it, and so does a hand that is being dealt.
    fn find(&self, selector: &str) -> Option<(f64, f64)> {
        let quoted = Value::from(selector);
        let found = self.eval(&format!(
            "(async () => {{ \
             const middle = () => {{ const e = document.querySelector({quoted}); if (!e) return null; \
             e.scrollIntoView({{block: 'nearest', inline: 'nearest'}}); \
             const b = e.getBoundingClientRect(), [x, y] = [b.left + b.width / 2, b.top + b.height / 2]; \
             const under = document.elementFromPoint(x, y); return [x, y, Boolean(under && e.contains(under))]; }}; \
             const moving = () => document.getAnimations().some((a) => a.playState === 'running' && Number.isFinite(a.effect.getComputedTiming().endTime)); \
             const frame = () => new Promise((done) => {{ requestAnimationFrame(done); setTimeout(done, 50); }}); \
             for (let last = middle(), n = 0; ; n += 1) {{ await frame(); const now = middle(); \
             if (n > 30 || !now || (now[2] && !moving() && String(now) === String(last))) return now; last = now; }} }})()"
        ));
        Some((found[0].as_f64()?, found[1].as_f64()?))
    }

    fn mouse(&self, kind: &str, (x, y): (f64, f64), buttons: u8) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        self.call(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 }),
        );
    }

    pub fn point(&self, selector: &str) {
        let at = self.place(selector);
        self.mouse("mouseMoved", at, 0);
    }

    pub fn click(&self, selector: &str) {
        self.click_at(self.place(selector));
    }

    /// Clicks what a selector finds, if it is still there: others play meanwhile, and the page is drawn anew.
    pub fn click_if_there(&self, selector: &str) {
        if let Some(at) = self.find(selector) {
            self.click_at(at);
        }
    }

    /// With the other button.
    pub fn click_right(&self, selector: &str) {
        let (x, y) = self.place(selector);
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": x, "y": y, "button": "right", "buttons": 2, "clickCount": 1 }),
            );
        }
    }

    fn click_at(&self, at: (f64, f64)) {
        self.mouse("mouseMoved", at, 0);
        self.mouse("mousePressed", at, 1);
        self.mouse("mouseReleased", at, 0);
    }

    /// Takes something with the mouse and puts it down elsewhere.
    pub fn drag(&self, from: &str, to: &str) {
        self.drag_while(from, to, || ());
    }

    /// The same; something happens before it is put down.
    pub fn drag_while(&self, from: &str, to: &str, meanwhile: impl Fn()) {
        let (from, to) = self.both(from, to);
        self.mouse("mouseMoved", from, 0);
        self.mouse("mousePressed", from, 1);
        for step in between(from, to) {
            self.mouse("mouseMoved", step, 1);
        }
        meanwhile();
        self.mouse("mouseReleased", to, 0);
    }

    /// The same with a finger.
    pub fn drag_by_finger(&self, from: &str, to: &str) {
        let (from, to) = self.both(from, to);
        self.touch("touchStart", Some(from));
        for step in between(from, to) {
            self.touch("touchMove", Some(step));
        }
        self.touch("touchEnd", None);
    }

    /// Whether two things are in sight at the same time, or can be brought there.
    pub fn shows_both(&self, from: &str, to: &str) -> bool {
        let (from, to) = self.both(from, to);
        let high = self.eval("document.querySelector('.actions').getBoundingClientRect().top").as_f64();
        [from, to].iter().all(|(_, y)| *y > 0.0 && *y < high.unwrap_or(f64::MAX))
    }

    /// Where two things are when both are in sight: to bring one there may move the other.
    fn both(&self, from: &str, to: &str) -> ((f64, f64), (f64, f64)) {
        let _ = self.place(to);
        let start = self.place(from);
        let end = self.eval(&format!(
            "(() => {{ const b = document.querySelector({}).getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; }})()",
            Value::from(to)
        ));
        (start, (end[0].as_f64().unwrap(), end[1].as_f64().unwrap()))
    }

    fn touch(&self, kind: &str, at: Option<(f64, f64)>) {
        let points: Vec<Value> = at.into_iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// Taps what a selector finds, if it is still there.
    pub fn tap_if_there(&self, selector: &str) {
        if let Some(at) = self.find(selector) {
            self.tap_at(at);
        }
    }

    pub fn tap(&self, selector: &str) {
        self.tap_at(self.place(selector));
    }

    fn tap_at(&self, at: (f64, f64)) {
        self.touch("touchStart", Some(at));
        self.touch("touchEnd", None);
    }

    pub fn key(&self, key: &str) {
        let text = match key {
            "Enter" => "\r".to_owned(),
            one if one.chars().count() == 1 => one.to_owned(),
            _ => String::new(),
        };
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            " " => 32,
            "Home" => 36,
            "End" => 35,
            one => i64::from(one.to_uppercase().as_bytes().first().copied().unwrap_or(0)),
        };
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code });
        if !text.is_empty() {
            down["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        );
    }

    pub fn write(&self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    pub fn size(&self, width: u32, height: u32, phone: bool) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone }),
        );
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone }));
    }

    pub fn scheme(&self, scheme: &str) {
        self.wish("prefers-color-scheme", scheme);
    }

    /// What the system says that its user wishes.
    pub fn wish(&self, name: &str, value: &str) {
        let features = json!([{ "name": name, "value": value }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// What is seen where something lies, as a picture in base64.
    pub fn patch(&self, selector: &str) -> String {
        let place = self.eval(&format!(
            "(() => {{ const b = document.querySelector({}).getBoundingClientRect(); return {{ x: b.x, y: b.y, width: b.width, height: b.height, scale: 1 }}; }})()",
            Value::from(selector)
        ));
        let seen = self.call("Page.captureScreenshot", json!({ "format": "png", "clip": place }));
        seen["data"].as_str().unwrap().to_owned()
    }

    /// Pulls the plug, or puts it in again.
    pub fn offline(&self, offline: bool) {
        let line =
            json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.call("Network.emulateNetworkConditions", line);
    }

    /// What a reader of the screen finds.
    pub fn tree(&self) -> Vec<Node> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
        let told = nodes.iter().filter(|node| node["ignored"] != true);
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        told.map(|node| Node {
            role: text(&node["role"]),
            name: text(&node["name"]),
            handle: node["backendDOMNodeId"].as_i64().unwrap_or(0),
            parent: node["parentId"].as_str().unwrap_or_default().to_owned(),
        })
        .collect()
    }

    /// Does what such a reader does when its user presses on something; false if it is gone.
    pub fn press(&self, handle: i64) -> bool {
        let text = json!({ "backendNodeId": handle });
        let found = self.try_call("DOM.resolveNode", text);
        let Some(object) = found.as_ref().and_then(|found| found["object"]["objectId"].as_str()) else {
            return false;
        };
        let act = "function() { this.focus(); this.click(); }";
        self.try_call("Runtime.callFunctionOn", json!({ "objectId": object, "functionDeclaration": act }))
            .is_some()
    }

    /// The names of everything of a role in the accessibility tree.
    pub fn names(&self, role: &str) -> Vec<String> {
        self.tree().into_iter().filter(|one| one.role == role).map(|one| one.name).collect()
    }

    /// A picture of what is shown, if a folder for pictures is wanted.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("TURNSTONE_PICTURES") else { return };
        std::thread::sleep(Duration::from_millis(350));
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let data = unbase64(shot["data"].as_str().unwrap_or_default());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), data).unwrap();
    }

    /// Nothing has gone wrong on the page; what the network does while it is away is expected.
    pub fn assert_calm(&self) {
        self.eval("0");
        let errors = self.errors.borrow();
        let expected = [
            "ERR_INTERNET_DISCONNECTED",
            "ERR_CONNECTION_REFUSED",
            "ERR_CONNECTION_RESET",
            "ERR_SOCKET",
            "WebSocket",
        ];
        let odd: Vec<&String> =
            errors.iter().filter(|error| !expected.iter().any(|known| error.contains(known))).collect();
        assert!(odd.is_empty(), "{odd:#?}");
    }
}

/// Six steps of the way from here to there.
fn between(from: (f64, f64), to: (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    (1..=6).map(move |step| {
        let part = f64::from(step) / 6.0;
        (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
    })
}

fn unbase64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let letters = four.iter().take_while(|letter| **letter != b'=').count();
        let all = four.iter().fold(0_u32, |all, letter| all << 6 | u32::from(value(*letter)));
        bytes.extend(all.to_be_bytes()[1..].iter().take(letters.saturating_sub(1)));
    }
    bytes
}
