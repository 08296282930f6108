/** Service worker: caches the page for offline use; sockets and API responses are never cached. */

// Both are filled in by pack.mjs.
const BUILD = "__BUILD__";
const FILES = __FILES__;

const CACHE = `qipai-${BUILD}`;
/** Milliseconds after which a network without an answer counts as offline. */
const NETWORK_TIMEOUT = 4_000;

/** Addresses of shared links, at which the server has the page with a preview. */
const SHARED = /^\/[tg]\/[\w/-]+$/;

const isHashed = (path) => path.startsWith("/assets/");

addEventListener("install", (event) => {
  // Files without a hash in their name may be outdated in the HTTP cache.
  const requests = FILES.map((path) => new Request(path, { cache: isHashed(path) ? "default" : "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

// A new worker waits until all tabs of the old one are closed, so nothing deleted here is still in use.
addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (isHashed(pathname)) event.respondWith(cacheFirst(request));
  else if (request.mode === "navigate" && SHARED.test(pathname)) event.respondWith(networkFirst(request, "/"));
  else if (FILES.includes(pathname)) event.respondWith(networkFirst(request, pathname));
});

// A notification that this worker shows for a page: go to its table, in a tab of the page if there is one.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable(event.notification.data));
});

async function openTable(address) {
  const tabs = await clients.matchAll({ type: "window" });
  const tab = tabs.find(({ url }) => url === address) ?? tabs[0];
  if (!tab) return clients.openWindow(address);
  if (tab.url !== address) await tab.navigate(address);
  return tab.focus();
}

/** A file with a hash in its name never changes. */
async function cacheFirst(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Other files come from the network, or from the cache if there is no answer. */
async function networkFirst(request, path) {
  const cached = await caches.match(path, { cacheName: CACHE, ignoreVary: true });
  if (!cached) return fetch(request);
  const late = new Promise((resolve) => setTimeout(() => resolve(cached), NETWORK_TIMEOUT));
  const answer = fetch(request).then(
    (response) => (response.status < 500 ? response : cached),
    () => cached,
  );
  return Promise.race([answer, late]);
}
