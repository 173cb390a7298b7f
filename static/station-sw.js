// The worker of the station's pages. CONFIG, and the files it names, are written before this by the server.
// It keeps two things: files and a page that hold nobody's data, and the form to log a load without network, which
// names no person and holds no secret and is thrown away when somebody signs out.
(() => {
  "use strict";
  const { plant, version, files, offline, refusal, run, list } = CONFIG;
  const base = `/${plant}/station`, FILES = `station-${plant}-${version}-files`, PAGES = `station-${plant}-pages`;
  const { Outbox, written, lost, DONE, STOP_ALL } = self.StationOutbox;
  const box = new Outbox(plant);
  // The pages of a truck that is turned away, whole or in part.
  const TURNED = /\/station\/(refuse|load\/[^/]+\/rest)$/;
  const SOON = 6000, SENT = 20000, DOWN = [502, 503, 504];

  const within = (work, time) => Promise.race([work, new Promise((_, bad) => { setTimeout(() => bad(new Error("late")), time); })]);
  const fresh = async (request, time) => {
    const answer = await within(fetch(request), time);
    if (DOWN.includes(answer.status)) throw new Error("down");
    return answer;
  };

  let turn = 0, ended = 0;
  const refresh = async () => {
    turn += 1;
    const mine = turn, before = ended;
    const [answer, turned, done] = await Promise.all([offline, refusal, run].map((one) => fetch(one, { credentials: "same-origin", redirect: "manual" })));
    // Signed out it leads to the sign-in page, which is not asked for: its cookie would end a sign-in just made. Nor is
    // kept what was on its way as somebody signed out.
    if (!answer.ok || mine !== turn) return;
    const pages = await caches.open(PAGES);
    if (turned.ok) await pages.put(refusal, turned);
    if (done.ok) await pages.put(run, done);
    await pages.put(offline, answer);
    if (before !== ended) await caches.delete(PAGES);
  };

  addEventListener("install", (event) => {
    self.skipWaiting();
    event.waitUntil(caches.open(FILES).then((cache) => cache.addAll([...files, new Request(list, { credentials: "omit" })])));
  });
  addEventListener("activate", (event) => {
    event.waitUntil((async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(`station-${plant}-`) && ![FILES, PAGES].includes(name)) await caches.delete(name);
      }
      await self.clients.claim();
      await refresh().catch(() => {});
    })());
  });
  addEventListener("message", (event) => {
    if (event.data === "refresh") event.waitUntil(refresh().catch(() => {}));
    if (event.data === "forget") {
      turn += 1;
      ended += 1;
      event.waitUntil(caches.delete(PAGES));
    }
  });
  addEventListener("sync", (event) => {
    if (event.tag === "outbox") event.waitUntil(box.send());
  });

  const without = async (address) => {
    const done = DONE.test(address.pathname) || STOP_ALL.test(address.pathname) || address.pathname === run, form = done ? run : TURNED.test(address.pathname) ? refusal : offline;
    const page = address.pathname !== list && await caches.match(form, { ignoreVary: true });
    return page || await caches.match(list, { ignoreSearch: true, ignoreVary: true }) || Response.error();
  };
  const shown = async (request, address) => {
    try { return await fresh(request, SOON); } catch { return without(address); }
  };
  const notKept = (kind) => {
    const [title, words] = lost(kind);
    return new Response(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>${title}</title><main><h1>${title}</h1><p>${words} Going back shows what you typed.</p></main></html>`,
    { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
  };
  const logged = async (request, address) => {
    const copy = request.clone(), at = new Date().toISOString(), all = STOP_ALL.test(address.pathname);
    try { return await fresh(request, all ? SOON : SENT); } catch {
      const kind = all ? "stop_all" : address.pathname === `${base}/load` ? "" : DONE.test(address.pathname) ? "act" : "refusal";
      // Everything stands still from the tap on, however long the network took to fail.
      const load = await box.keep({ ...written(await copy.formData(), address, kind), ...(all && { at }) }).catch(() => null);
      if (!load) return notKept(kind);
      self.registration.sync?.register("outbox").catch(() => {});
      return Response.redirect(`${list}?saved=${encodeURIComponent(load.slip)}`, 303);
    }
  };

  addEventListener("fetch", (event) => {
    const { request } = event, address = new URL(request.url);
    if (address.origin !== location.origin) return;
    const ours = address.pathname === base || address.pathname.startsWith(`${base}/`);
    if (request.mode === "navigate" && ours && !address.pathname.endsWith(".pdf")) {
      if (request.method === "GET") event.respondWith(shown(request, address));
      else if (request.method === "POST" && (address.pathname === `${base}/load` || TURNED.test(address.pathname) || DONE.test(address.pathname) || STOP_ALL.test(address.pathname))) event.respondWith(logged(request, address));
    } else if (request.method === "GET" && files.includes(address.pathname + address.search)) {
      event.respondWith(caches.match(request, { ignoreVary: true }).then((found) => found || fetch(request)));
    }
  });
})();
