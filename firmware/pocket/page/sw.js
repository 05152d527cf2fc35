// Keeps all files of one build, each checked against its hash, and answers from them: no network is needed.

const BUILD = "BUILD_ID";
const FILES = FILE_HASHES;
const CACHE = `referee-${BUILD}`;

self.addEventListener("install", (event) => {
  const fetched = async (cache, [path, integrity]) => {
    const before = path.includes("-") && (await caches.match(path)); // its name has its hash
    await cache.put(path, before || (await fetch(path, { integrity, cache: "no-cache" })));
  };
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.all(Object.entries(FILES).map((file) => fetched(cache, file)))));
});

// The page asks for it, and loads itself anew; a tab of the build before may still read from that one's cache.
self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    if ((await self.clients.matchAll({ includeUncontrolled: true })).length > 1) return;
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("referee-") && name !== CACHE).map((name) => caches.delete(name)));
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const stored = (await cache.match(event.request, { ignoreSearch: true })) ?? (await caches.match(event.request, { ignoreSearch: true }));
    return stored ?? fetch(event.request);
  };
  event.respondWith(answer());
});
