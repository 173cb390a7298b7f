// Loads kept on an enrolled tablet while there is no network: written down with a slip number of its own, sent in order.
// Read by the station's pages and by its worker (station-sw.js): what both need comes first.
(() => {
  "use strict";
  const DROP = ["once", "csrf_token", "whose", "again", "start", "visit", "plan_seen", "who_seen", "stranger", "tap"];
  // What the page of a rest calls otherwise than the one of a refusal.
  const RENAMED = { code: "reason_code", gallons: "left" };
  // Pages of what is done to a load in the books.
  const DONE = /\/station\/load\/([^/]+)\/(pause|resume|stop|rate|more|sign)$/;
  // The page on which everything is stopped at once.
  const STOP_ALL = /\/station\/stop-everything$/;

  const asked = (request) => new Promise((good, bad) => {
    request.onsuccess = () => good(request.result);
    request.onerror = () => bad(request.error);
  });
  const open = (plant) => {
    const request = indexedDB.open(`outbox-${plant}`, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("loads", { keyPath: "place", autoIncrement: true });
      request.result.createObjectStore("facts");
    };
    return asked(request);
  };
  const over = (work) => new Promise((good, bad) => {
    work.oncomplete = () => good();
    work.onerror = work.onabort = () => bad(work.error);
  });

  class Outbox {
    constructor(plant) { this.plant = plant; }

    async all() {
      const db = await open(this.plant);
      try { return await asked(db.transaction("loads").objectStore("loads").getAll()); } finally { db.close(); }
    }

    async fact(name) {
      const db = await open(this.plant);
      try { return await asked(db.transaction("facts").objectStore("facts").get(name)); } finally { db.close(); }
    }

    // What the server will not take as it is waits here for a person, and holds up nobody.
    async mark(load, stuck) {
      const db = await open(this.plant);
      try {
        const work = db.transaction("loads", "readwrite");
        work.objectStore("loads").put({ ...load, stuck });
        await over(work);
      } finally { db.close(); }
    }

    async note(facts) {
      const db = await open(this.plant);
      try {
        const work = db.transaction("facts", "readwrite");
        for (const [name, value] of Object.entries(facts)) work.objectStore("facts").put(value, name);
        await over(work);
      } finally { db.close(); }
    }

    // The number of its slip and the load are written in one go: no number is lost, none is given twice.
    async keep(load) {
      const db = await open(this.plant);
      try {
        const work = db.transaction(["loads", "facts"], "readwrite", { durability: "strict" });
        const facts = work.objectStore("facts"), loads = work.objectStore("loads");
        const [mark, last, offset, duty, person] = await Promise.all(
          ["mark", "last", "offset", "duty", "person"].map((name) => asked(facts.get(name))));
        const same = (await asked(loads.getAll())).find((one) => one.id === load.id);
        if (same) return same;
        const count = (last || 0) + 1;
        const whole = { on_duty: person || "", ...load, duty: load.on_duty ? "" : duty || "",
          slip: `${mark}-${String(count).padStart(4, "0")}`, offset: offset ?? null, at: load.at || new Date().toISOString() };
        facts.put(count, "last");
        loads.add(whole);
        await over(work);
        return whole;
      } finally { db.close(); }
    }

    // A load that is still here is put right before it is sent: what it said before goes along, with why, when and by whom.
    // Not while one is being sent; null where it is gone by then.
    correct(slip, right, why, by) {
      return navigator.locks.request(`outbox-${this.plant}`, async () => {
        const db = await open(this.plant);
        try {
          const work = db.transaction("loads", "readwrite", { durability: "strict" }), loads = work.objectStore("loads");
          const load = (await asked(loads.getAll())).find((one) => one.slip === slip);
          if (load) {
            const { fields, visit } = load, was = [...(load.was || []), { fields, visit, why, by, at: new Date().toISOString() }];
            loads.put({ ...load, ...right, was, stuck: "" });
          }
          await over(work);
          return load || null;
        } finally { db.close(); }
      });
    }

    async gone(load, answer) {
      const db = await open(this.plant);
      try {
        const work = db.transaction(["loads", "facts"], "readwrite");
        const facts = work.objectStore("facts");
        const sent = (await asked(facts.get("sent"))) || [];
        facts.put([{ ...load, answer }, ...sent.filter((one) => one.id !== load.id)].slice(0, 30), "sent");
        facts.put(answer.needs || 0, "needs");
        work.objectStore("loads").delete(load.place);
        await over(work);
      } finally { db.close(); }
    }

    async post(to, body) {
      const loads = await this.all(), last = (await this.fact("last")) || 0;
      const answer = await fetch(`/${this.plant}/station/${to}`, {
        method: "POST", credentials: "same-origin", redirect: "error", signal: AbortSignal.timeout(15000),
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...body, now: new Date().toISOString(), last, waiting: loads.length }),
      });
      if (answer.status === 409) await this.note({ state: "unknown" });
      if (answer.ok) return answer.json();
      const said = await answer.json().catch(() => ({}));
      throw Object.assign(new Error(String(answer.status)), { why: said.why || "" });
    }

    async hello() {
      const said = await this.post("hello", {});
      const last = Math.max(said.last, (await this.fact("last")) || 0);
      await this.note({ state: said.state, mark: said.mark, called: said.called, offset: said.offset, off: said.off,
        needs: said.needs, last });
      return said;
    }

    // One after the other, the first written first; one sender at a time, whatever windows are open. One at which the
    // server fails is sent again next time with what is of its truck or its rest; those behind it do not wait for it.
    send() {
      return navigator.locks.request(`outbox-${this.plant}`, { ifAvailable: true }, async (mine) => {
        if (!mine) return;
        const failed = [], visits = new Set(), after = new Set();
        for (const load of (await this.all()).filter((one) => !one.stuck)) {
          const { place, seen, ...body } = load, visit = JSON.stringify(load.visit || {});
          const of = (load.fields.find(([name]) => name === "of") || [])[1];
          if (visits.has(visit) || after.has(of) || failed.some((one) => one.slip === of)) continue;
          try {
            await this.gone(load, await this.post("outbox", { ...body, plan: seen }));
          } catch (error) {
            if (error.message === "500") {
              failed.push({ slip: load.slip, error });
              // What was done after everything was stopped is told after it.
              if (load.kind === "stop_all") break;
              if (visit !== "{}") visits.add(visit);
              if (of) after.add(of);
            } else if (["400", "413"].includes(error.message)) {
              await this.mark(load, error.why || "The plant's computer cannot take it as it is.");
            } else throw error;
          }
        }
        if (failed.length) throw failed[0].error;
      });
    }
  }

  // A load, or a refusal (kind), from the fields of a form and the address it was typed at.
  const written = (fields, address, kind = "") => {
    const found = [...fields].filter(([, value]) => typeof value === "string")
      .map(([name, value]) => [name, value.slice(0, name === "strokes" ? 20000 : 2000)]);
    const rest = (address.pathname.match(/\/station\/load\/([^/]+)\/rest$/) || [])[1];
    if (rest) {
      for (const one of found) one[0] = RENAMED[one[0]] || one[0];
      found.push(["of", rest], ...(found.some(([name]) => name === "out") ? [] : [["out", "0"]]));
    }
    const one = (name) => (found.find(([key]) => key === name) || [])[1] || "";
    const [, of, page] = address.pathname.match(DONE) || [];
    if (of) {
      // A tap stops the flow at once; the gallons of a stop are typed afterwards.
      found.push(["of", of], ["act", page === "stop" && one("tap") ? "pause" : page]);
      if (page === "rate" && one("tap")) found.push(["rate", one("tap")]);
      if (page === "sign") for (const each of found) if (each[0] === "name") each[0] = "driver";
    }
    const visit = Object.fromEntries(new URLSearchParams(one("visit") || address.search));
    const load = { id: one("client_id") || crypto.randomUUID().replaceAll("-", ""), visit, fields: found.filter(([name]) => !DROP.includes(name) && name !== "client_id"),
      seen: { plan: one("plan_seen"), who: one("who_seen") } };
    if (kind) load.kind = kind;
    if (one("on_duty")) load.on_duty = one("on_duty");
    return load;
  };

  // Said where the tablet's own memory fails: nothing is saved then, and nobody may think it is.
  const isAct = (kind) => kind === "act" || kind === "stop_all";
  const lost = (kind) => [isAct(kind) ? "This is NOT kept on this tablet" : `This ${kind || "load"} is NOT kept on this tablet`,
    isAct(kind) ? "Nothing of it was saved. Write it down with its time." : "Nothing of it was saved. Write it on a blank ticket now."];

  self.StationOutbox = { Outbox, written, lost, DONE, STOP_ALL };
  if (!self.document) return;

  const me = document.currentScript.dataset, plant = me.plant, base = `/${plant}/station`;
  const box = new Outbox(plant), main = document.getElementById("main");
  const mark = (document.cookie.match(/(?:^|; )septage_mark=(T\d+)/) || [])[1];
  const words = (count, one, many) => `${count} ${count === 1 ? one : many}`;
  const line = document.createElement("div");
  line.id = "outbox";
  line.setAttribute("role", "status");
  line.setAttribute("aria-live", "polite");
  main?.prepend(line);

  let shown = null;
  const show = (parts) => {
    const now = JSON.stringify(parts);
    if (now === shown) return;
    shown = now;
    line.replaceChildren(...parts.map(([text, href]) => {
      const one = document.createElement("p");
      one.className = "state-bar shut";
      const inside = href ? Object.assign(document.createElement("a"), { href, textContent: text, className: "beside" }) : document.createTextNode(text);
      one.append(inside);
      return one;
    }));
  };

  // When something was written, by the clock of the plant.
  const clock = (load) => new Date(Date.parse(load.at) + 1000 * (load.offset || 0))
    .toLocaleTimeString("en-US", { timeStyle: "short", timeZone: me.zone }).replace(/\sAM$/, " a.m.").replace(/\sPM$/, " p.m.");
  const tell = async () => {
    const all = await box.all(), stuck = all.filter((one) => one.stuck).length;
    const stops = all.filter((one) => one.kind === "stop_all" && !one.stuck), waits = all.length - stuck - stops.length;
    const [needs, off, state] = await Promise.all(["needs", "off", "state"].map((name) => box.fact(name)));
    const parts = stops.slice(0, 1).map((one) => [`Everything stopped at ${clock(one)}: waiting to send`, `${base}/on-tablet`]);
    if (waits) parts.push([`${words(waits, "load", "loads")} waiting to send`, `${base}/on-tablet`]);
    if (stuck) parts.push([words(stuck, "load on this tablet needs you", "loads on this tablet need you"), `${base}/on-tablet`]);
    if (needs) parts.push([words(needs, "load needs you", "loads need you"), `${base}/waiting-loads`]);
    if (off) parts.push([`This tablet's clock is ${off}. Set it right.`]);
    if (state === "revoked") parts.push(["This tablet is revoked: it keeps no more loads without network."]);
    if (state === "unknown") parts.push(["This tablet is not known here any more. What it keeps stays on it: call the plant manager."]);
    show(parts);
    dispatchEvent(new Event("outbox"));
  };

  const forget = async () => {
    for (const name of await caches.keys()) if (name.startsWith(`station-${plant}-`)) await caches.delete(name);
  };

  let heard = 0;
  const work = async () => {
    try {
      if (Date.now() - heard > 300000) {
        const said = await box.hello();
        heard = Date.now();
        // Its pages go at once, the worker and its files when nothing is left to send.
        if (said.state === "revoked") navigator.serviceWorker.controller?.postMessage("forget");
        if (said.state === "revoked" && !(await box.all()).length) {
          await forget();
          for (const one of await navigator.serviceWorker.getRegistrations()) if (one.scope.endsWith(base)) await one.unregister();
        }
      }
      await box.send();
    } catch { /* No network: again in half a minute. */ }
    await tell();
  };

  const lacking = () => {
    if (!self.isSecureContext) return "Without network nothing can be kept here: this page came neither by HTTPS nor from this machine.";
    if (!("serviceWorker" in navigator) || !self.indexedDB || !navigator.locks) return "Without network nothing can be kept here: this browser has no service worker.";
    return mark ? "" : "Without network nothing can be kept here: this browser is not an enrolled tablet. The plant manager enrols it.";
  };

  const start = async () => {
    const why = lacking(), note = document.querySelector("[data-offline-note]");
    if (note) note.textContent = why || `This is tablet ${mark}: loads are kept on it while there is no network.`;
    if (why) return;
    // Who is on duty here, signed by the server: another person's sign-in takes their place.
    await box.note(me.duty ? { mark, duty: me.duty, person: me.person, who: document.body.dataset.signed } : { mark });
    navigator.storage?.persist?.();
    const there = await navigator.serviceWorker.register(`${base}/sw.js`, { scope: base });
    there.update().catch(() => {});
    addEventListener("online", work);
    setInterval(work, 30000);
    await work();
    if (me.duty && await box.fact("state") === "in_use") (await navigator.serviceWorker.ready).active.postMessage("refresh");
  };

  const kept = (load) => { location.assign(`${base}/on-tablet?saved=${encodeURIComponent(load.slip)}`); };
  const put = (form, name, value) => {
    const hidden = form.querySelector(`input[name=${name}]`) || form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name }));
    hidden.value = value;
  };
  const said = (chosen) => document.querySelector(chosen)?.innerText.trim().replace(/\s+/g, " ") || "";

  // What nobody can be asked for later: said before a load is kept. All else the server judges when it arrives.
  const missing = (fields) => {
    const one = (name) => String(fields.get(name) || "").trim(), found = [];
    if (!one("waste")) found.push(["waste-0", "Select the type of waste"]);
    if (!/^[1-9][\d,]*$/.test(one("gallons"))) found.push(["gallons", "Enter the gallons, like 1,500"]);
    if (one("tested") === "yes" && !one("bottle")) found.push(["bottle", "Enter the sample bottle number"]);
    if (one("tested") === "no" && fields.has("reason") && !one("reason")) found.push(["reason", "Say why it is not tested"]);
    if (one("normal") === "no" && !one("note")) found.push(["note", "Write what looks or smells wrong"]);
    if (!one("driver")) found.push(["driver", "Enter the driver's name"]);
    return found;
  };
  const made = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });
  const point = (form, problems) => {
    document.getElementById("error-summary")?.remove();
    for (const one of form.querySelectorAll(".error")) one.remove();
    if (!problems.length) return false;
    const summary = made("div", "", { id: "error-summary", className: "error-summary", tabIndex: -1 }), list = made("ul", "");
    summary.setAttribute("role", "alert");
    for (const [id, sentence] of problems) {
      const line = made("li", ""), field = document.getElementById(id);
      (field?.closest(".field") || form).prepend(made("p", sentence, { className: "error", id: `${id}-error` }));
      field?.setAttribute("aria-describedby", `${id}-error`);
      line.append(made("a", sentence, { href: `#${id}` }));
      list.append(line);
    }
    summary.append(made("h2", "There is a problem"), list);
    line.after(summary);
    summary.focus();
    return true;
  };

  // The form with network goes as ever; the worker keeps what does not arrive.
  const form = document.querySelector("form input[name=client_id]")?.form || (location.pathname.endsWith("/rest") && main?.querySelector("form[data-once]"));
  const kind = location.pathname === `${base}/load` ? "" : /\/station\/(refuse|load\/[^/]+\/rest)$/.test(location.pathname) ? "refusal" : null;
  const wanting = (fields) => {
    const one = (name) => String(fields.get(name) || "").trim(), found = [];
    if (fields.has("business_name") && !one("business_name") && !location.search && !one("of")) found.push(["business_name", "Enter the name on the truck"]);
    if (!one("reason_code") && !one("code")) found.push([document.getElementById("code-0") ? "code-0" : "reason_code-0", "Select why the load is refused"]);
    if (!one("reason")) found.push(["reason", "Enter what was wrong"]);
    if (fields.has("reason_code") && Number(one("gallons").replace(/\D/g, "")) > 0) found.push(["gallons", "Log the gallons that were unloaded as a load, then refuse the rest"]);
    return found;
  };
  if (mark && form && kind !== null && !form.hasAttribute("data-outbox")) {
    form.addEventListener("submit", (event) => {
      put(form, "plan_seen", said(".gate-line span"));
      put(form, "who_seen", said(".gate-who [aria-current] span, .tile-list [aria-current] span"));
      if (navigator.onLine || event.defaultPrevented) return;
      event.preventDefault();
      const fields = new FormData(form);
      if (!point(form, kind ? wanting(fields) : missing(fields))) box.keep(written(fields, location, kind)).then(kept, () => notKept(kind));
    });
  }
  // A browser that is no tablet keeps nothing: without network a refusal stays on its page, with all that was typed.
  const refusal = !mark && location.pathname === `${base}/refuse` && main?.querySelector("form[data-once]");
  const reached = () => fetch(`${base}/sw.js`, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(6000) })
    .then((answer) => answer.ok, () => false);
  const alert = (title, words) => {
    const panel = document.getElementById("not-sent") || made("section", "", { id: "not-sent", className: "panel panel-late", tabIndex: -1 });
    panel.setAttribute("role", "alert");
    panel.replaceChildren(made("h2", title, { className: "panel-title" }), made("p", words));
    line.after(panel);
    panel.focus();
  };
  const notSent = () => alert("A refusal cannot be sent without network",
    "Write it on a blank ticket. What you typed stays on this page: press the button again when there is network.");
  const notKept = (kind) => {
    const [title, words] = lost(kind);
    alert(title, `${words} What you typed stays on this page.`);
  };
  let asking = false;
  if (refusal) refusal.addEventListener("submit", async (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    const there = navigator.onLine && await reached();
    if (there) refusal.submit();
    else notSent();
    // A second press while it goes is no second refusal.
    setTimeout(() => { asking = false; }, there ? 5000 : 0);
  });

  // The name on duty, "" where it was told in another sign-in than the last this browser has seen (app.js).
  const onDuty = async () => {
    const [person, who] = await Promise.all([box.fact("person"), box.fact("who")]);
    return person && who && who === localStorage.getItem("signed") ? person : "";
  };
  Object.assign(self.StationOutbox, { onDuty, box, kept, notKept, work, missing, wanting, point });
  start().catch(() => {});
})();
