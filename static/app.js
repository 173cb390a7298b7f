// Small helps. Every page works without them: the error summary takes focus, a double click sends once, print buttons print.
(() => {
  "use strict";

  const bring = (id) => {
    const target = document.getElementById(id);
    if (!target) return false;
    const above = target.closest("fieldset, .field") || target;
    above.scrollIntoView({ block: "nearest" });
    target.focus({ preventScroll: true });
    return document.activeElement === target;
  };

  const summary = document.getElementById("error-summary");
  if (summary) {
    summary.focus();
    summary.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (link && bring(link.hash.slice(1))) event.preventDefault();
    });
  }

  // The button is not disabled: its own name and value must be sent. The server's once-only key is the real guard.
  const sent = new WeakMap();
  document.addEventListener("submit", (event) => {
    const last = sent.get(event.target);
    if (last && event.timeStamp - last < 5000) event.preventDefault();
    else if (!event.defaultPrevented) sent.set(event.target, event.timeStamp);
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) for (const form of document.forms) sent.delete(form);
  });

  // Going back opens a page anew, with a new key, while the browser puts back what was typed. Where a second record
  // alike is a slip, a form typed in gets the key it had, so that what was sent is known again; a second stop is no
  // slip. A form is known by where it goes, its hidden fields, its buttons.
  const OURS = ["once", "csrf_token", "whose"];
  const named = (form) => [form.getAttribute("action") || "",
    ...[...form.elements].filter((one) => one.name && !OURS.includes(one.name) && (one.type === "hidden" || one.type === "submit"))
      .map((one) => `${one.name}=${one.value}`)].join("&");
  const keep = () => {
    const had = (performance.getEntriesByType("navigation")[0] || {}).type === "back_forward" && (history.state || {}).once || {};
    const now = {};
    for (const form of document.querySelectorAll("form[data-once=kept]")) {
      const key = form.querySelector("input[name=once]");
      if (!key || !form.querySelector("input:not([type=hidden]), select, textarea")) continue;
      const name = named(form);
      if (name in now) continue;
      if (had[name]) key.value = had[name];
      now[name] = key.value;
    }
    if (Object.keys(now).length) history.replaceState({ ...history.state, once: now }, "");
  };
  keep();
  window.addEventListener("pageshow", keep);

  // What a tablet keeps of the station is not left behind for whoever comes next (static/station-sw.js), nor who was on
  // duty there (static/outbox.js): that ends with the sign-in it was told in, on whatever page another begins. Pages a
  // tablet keeps say nothing of who is signed in; every other one does.
  const facts = (database, work) => new Promise((done) => {
    const asked = indexedDB.open(database);
    asked.onerror = done;
    asked.onsuccess = () => {
      const db = asked.result, change = db.transaction("facts", "readwrite");
      change.oncomplete = change.onabort = () => { db.close(); done(); };
      work(change.objectStore("facts"));
    };
  });
  const offDuty = async (signed, more = []) => {
    for (const { name } of await indexedDB.databases()) {
      if (name.startsWith("outbox-")) await facts(name, (kept) => {
        kept.get("who").onsuccess = ({ target }) => {
          if (!signed || target.result !== signed) for (const one of ["duty", "person", "who", ...more]) kept.delete(one);
        };
      });
    }
  };
  const { signed } = document.body.dataset;
  if (signed !== undefined && self.isSecureContext && self.indexedDB) {
    try { localStorage.setItem("signed", signed); } catch { /* Nothing is kept in this browser at all. */ }
    offDuty(signed).catch(() => {});
  }
  for (const form of document.querySelectorAll("form[action$='/sign-out']")) {
    form.addEventListener("submit", (event) => {
      if (!self.caches || event.defaultPrevented) return;
      event.preventDefault();
      try { localStorage.setItem("signed", ""); } catch { /* Nothing is kept in this browser at all. */ }
      const told = async () => {
        for (const one of await navigator.serviceWorker?.getRegistrations() || []) one.active?.postMessage("forget");
      };
      const gone = async () => {
        for (const name of await caches.keys()) if (name.endsWith("-pages")) await caches.delete(name);
      };
      navigator.serviceWorker?.controller?.postMessage("forget");
      Promise.race([Promise.allSettled([offDuty("", ["sent"]), told().finally(gone)]), new Promise((late) => { setTimeout(late, 1000); })]).finally(() => form.submit());
    });
  }

  // A long run goes on part by part.
  const run = document.getElementById("go-on");
  if (run) run.requestSubmit();

  // What stands below every printed page: what it is, whose and of which day (app.css, @page).
  const foot = document.body.dataset.foot;
  if (foot) {
    const paper = new CSSStyleSheet();
    paper.replaceSync(`:root { --foot: ${JSON.stringify(foot)}; }`);
    document.adoptedStyleSheets.push(paper);
  }

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
})();
