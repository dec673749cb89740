//! The content of a match as its header lists it: what is built in with all that lies over it, and each file that does.

use turnstone::digest::digest;
use turnstone::file::ContentPart;
use turnstone_host::Source;

/// The files of content that overlays a game's own, each by its name below the folder that they share, so that it is
/// called the same wherever that folder lies.
pub(crate) fn packs(content: &[Source]) -> Vec<ContentPart> {
    let shared = shared_folder(content);
    let name = |source: &Source| source.name[shared..].replace('\\', "/");
    content.iter().map(|source| ContentPart { name: name(source), digest: digest(&source.text) }).collect()
}

/// The length of the folder that is part of all names.
fn shared_folder(content: &[Source]) -> usize {
    let folder = |name: &str| name.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let Some((first, others)) = content.split_first() else { return 0 };
    let mut shared = &first.name[..folder(&first.name)];
    while others.iter().any(|other| !other.name.starts_with(shared)) {
        shared = &shared[..folder(&shared[..shared.len() - 1])];
    }
    shared.len()
}

/// What was there and is not here, and what is here and was not there. The part called `whole` is all content as it was
/// read: if that is the same, nothing differs, however it was divided into files; if it is not, the files that differ
/// are named, or it if they do not.
pub(crate) fn apart(whole: &str, there: &[ContentPart], here: &[ContentPart]) -> Vec<String> {
    let digest_of =
        |parts: &[ContentPart]| parts.iter().find(|part| part.name == whole).map(|part| part.digest);
    if digest_of(there).is_some() && digest_of(there) == digest_of(here) {
        return Vec::new();
    }
    // A file of another name with the same text is the same.
    let strange = |parts: &[ContentPart], others: &[ContentPart]| -> Vec<String> {
        let known = |part: &&ContentPart| others.iter().any(|other| other.digest == part.digest);
        let strange = parts.iter().filter(|part| part.name != whole && !known(part));
        strange.map(|part| part.name.clone()).collect()
    };
    let (unlike, missing) = (strange(there, here), strange(here, there));
    let missing: Vec<String> =
        missing.into_iter().filter(|name| !unlike.contains(name)).map(|name| format!("no {name}")).collect();
    match (unlike.is_empty() && missing.is_empty(), digest_of(there)) {
        (false, _) => [unlike, missing].concat(),
        (true, Some(_)) => vec![whole.to_owned()],
        (true, None) => vec![format!("no {whole}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(content: &[(&str, &str)]) -> Vec<ContentPart> {
        let sources: Vec<Source> = content.iter().map(|(name, text)| Source::new(*name, *text)).collect();
        packs(&sources)
    }

    #[test]
    fn files_are_called_by_their_way_from_the_folder_they_share() {
        let names = |content: &[(&str, &str)]| -> Vec<String> {
            listed(content).into_iter().map(|part| part.name).collect()
        };
        assert_eq!(names(&[]), [""; 0]);
        assert_eq!(names(&[("a.toml", ""), ("b.toml", "")]), ["a.toml", "b.toml"]);
        assert_eq!(names(&[("/home/me/mine/a.toml", "")]), ["a.toml"]);
        let two = [("/home/me/mine/cards/a.toml", ""), ("/home/me/mine/cards-too.toml", "")];
        assert_eq!(names(&two), ["cards/a.toml", "cards-too.toml"]);
        assert_eq!(names(&[("mine\\cards\\a.toml", ""), ("mine\\b.toml", "")]), ["cards/a.toml", "b.toml"]);
        assert_eq!(names(&[("mine/a.toml", ""), ("b.toml", "")]), ["mine/a.toml", "b.toml"]);
    }

    #[test]
    fn what_differs_is_named_and_the_whole_only_if_nothing_finer_does() {
        let parts = |whole: u8, content: &[(&str, &str)]| -> Vec<ContentPart> {
            let own = ContentPart { name: "spire".to_owned(), digest: digest(&whole) };
            std::iter::once(own).chain(listed(content)).collect()
        };
        let told = |there: &[ContentPart], here: &[ContentPart]| apart("spire", there, here);
        let mine = parts(1, &[("mine/a.toml", "one"), ("mine/b.toml", "two")]);
        assert_eq!(told(&mine, &mine), [""; 0]);
        assert_eq!(told(&mine, &parts(1, &[("a.toml", "# a remark\none")])), [""; 0], "it says the same");
        assert_eq!(told(&mine, &parts(2, &[("my/a.toml", "one"), ("my/b.toml", "2")])), ["b.toml"]);
        assert_eq!(told(&mine, &parts(2, &[])), ["a.toml", "b.toml"]);
        assert_eq!(told(&parts(2, &[]), &mine), ["no a.toml", "no b.toml"]);
        assert_eq!(told(&mine, &parts(2, &[("x.toml", "two"), ("y.toml", "one")])), ["spire"]);
        assert_eq!(told(&parts(1, &[])[1..], &parts(1, &[])), ["no spire"]);
    }
}
