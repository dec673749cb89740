// Says on a telephone whose turn it is; a tap leads to the match.

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(lead(`/m/${event.notification.tag}`));
});

/** To the window that shows the match, if there is one; else to a new one. */
async function lead(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find(({ url }) => `${new URL(url).pathname}/`.startsWith(`${path}/`));
  return open ? open.focus() : self.clients.openWindow(path);
}
