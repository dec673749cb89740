// Says on a telephone whose turn it is; a tap leads to the match.

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(`/m/${event.notification.tag}`));
});
