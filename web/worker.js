/** Keeps the page for times without a network; sockets and what the server answers are never kept. */

// Both are filled in by pack.mjs.
const BUILD = "__BUILD__";
const FILES = __FILES__;

const CACHE = `qipai-${BUILD}`;
/** Milliseconds after which a silent network counts as none. */
const PATIENCE = 4_000;

const isHashed = (path) => path.startsWith("/assets/");

addEventListener("install", (event) => {
  // What has no hash in its name may lie about in the browser's own cache.
  const requests = FILES.map((path) => new Request(path, { cache: isHashed(path) ? "default" : "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

// A new worker waits until the last tab of the old one is closed, so nobody misses what is deleted here.
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
  if (isHashed(pathname)) event.respondWith(hashed(request));
  else if (FILES.includes(pathname)) event.respondWith(fresh(request, pathname));
});

/** A name with a hash means the same for ever, whichever build it came with. */
async function hashed(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** What may change is asked for first, and taken from the cache if nobody answers. */
async function fresh(request, path) {
  const kept = await caches.match(path, { cacheName: CACHE, ignoreVary: true });
  if (!kept) return fetch(request);
  const late = new Promise((give) => setTimeout(() => give(kept), PATIENCE));
  const answer = fetch(request).then(
    (response) => (response.status < 500 ? response : kept),
    () => kept,
  );
  return Promise.race([answer, late]);
}
