// The page a tablet keeps to pause, resume, stop or sign a load without network, or to write the rate a gauge shows.
(() => {
  "use strict";
  const { box, written, kept, notKept, point, onDuty } = self.StationOutbox;
  const form = document.querySelector("form[data-act]"), of = (id) => document.getElementById(id);
  if (!box || !form) return;
  const value = (load, name) => (load.fields.find(([key]) => key === name) || [])[1] || "";
  const act = () => form.querySelector("input[name=act]:checked")?.value || "";
  const load = () => form.querySelector("input[name=of]:checked");
  const shown = () => {
    const now = act() || "pause";
    for (const part of form.querySelectorAll("[data-of]")) part.hidden = !part.dataset.of.split(" ").includes(now);
    of("named").hidden = load()?.id !== "load-other";
  };
  const duty = (name) => {
    of("duty").hidden = Boolean(name);
    of("duty-known").hidden = !name;
    of("duty-name").textContent = name;
  };
  // Loads written on this tablet that the plant has no ticket of yet, the newest first, by their slips.
  const own = async () => {
    for (const one of (await box.all()).filter((each) => !each.kind)) {
      const tile = of("load-other").parentElement.cloneNode(true), [words, hint] = tile.querySelectorAll("b, .choice-hint");
      tile.htmlFor = `slip-${one.slip}`;
      Object.assign(tile.querySelector("input"), { id: `slip-${one.slip}`, value: one.slip });
      tile.querySelector("input").dataset.driver = value(one, "driver");
      words.textContent = one.seen?.who || `Slip ${one.slip}`;
      hint.textContent = `Slip ${one.slip} · ${value(one, "gallons")} gal · not sent yet`;
      of("loads").prepend(tile);
    }
  };
  const asked = (fields) => {
    const one = (name) => String(fields.get(name) || "").trim(), found = [], what = act();
    if (!load()) found.push(["which", "Select the load"]);
    if (load()?.id === "load-other" && !one("number")) found.push(["number", "Enter the ticket or slip of the load"]);
    if (!what) found.push(["act-0", "Select what was done"]);
    if (what === "stop" && !one("reason")) found.push(["reason", "Enter why the truck is stopped"]);
    if (what === "rate" && !/^[1-9][\d,]*$/.test(one("rate"))) found.push(["rate", "Enter the rate, like 600"]);
    if (what === "more" && !/^[1-9][\d,]*$/.test(one("more"))) found.push(["more", "Enter how many gallons more, like 200"]);
    if (what !== "sign" && one("gallons") && !/^\d[\d,]*$/.test(one("gallons"))) found.push(["gallons", "Enter the gallons, like 1,500"]);
    if (what === "sign" && !one("strokes")) found.push(["places", "Let the driver sign in the box"]);
    if (what === "sign" && !one("driver")) found.push(["driver", "Enter the driver's name"]);
    if (!of("duty").hidden && !one("on_duty")) found.push(["on_duty", "Enter who is on duty"]);
    return found;
  };
  const id = crypto.randomUUID().replaceAll("-", "");
  let busy = false;
  const keep = async () => {
    const fields = new FormData(form), one = load();
    if (of("duty").hidden && await onDuty() !== of("duty-name").textContent) duty("");
    if (busy || point(form, asked(fields))) return;
    busy = true;
    if (one.id === "load-other") fields.set("of", fields.get("number").trim());
    fields.delete("number");
    // What is not asked of this act is no part of it.
    for (const part of form.querySelectorAll("[data-of][hidden]")) for (const each of part.querySelectorAll("[name]")) fields.delete(each.name);
    fields.set("client_id", id);
    fields.set("who_seen", one.parentElement.querySelector("b").textContent.trim());
    if (of("duty").hidden) fields.delete("on_duty");
    kept(await box.keep(written(fields, { pathname: "", search: "" }, "act")));
  };
  form.addEventListener("change", ({ target }) => {
    if (target.name === "of" && target.dataset.driver) of("driver").value = target.dataset.driver;
    shown();
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); keep().catch(() => { busy = false; notKept("act"); }); });
  const begin = async () => {
    await own().catch(() => {});
    duty(await onDuty().catch(() => ""));
    form.hidden = false;
    of("duty-change").addEventListener("click", () => { duty(""); of("on_duty").focus(); });
    const [, ticket, page] = location.pathname.match(/\/station\/load\/([^/]+)\/(pause|resume|stop|rate|more|sign)$/) || [];
    const here = ticket || new URLSearchParams(location.search).get("of");
    const mine = here && ([...form.querySelectorAll("input[name=of]")].find((one) => one.value === here) || of("load-other"));
    if (mine) {
      mine.checked = true;
      if (mine.id === "load-other") of("number").value = here;
      mine.dispatchEvent(new Event("change", { bubbles: true }));
      mine.parentElement.scrollIntoView({ block: "nearest" });
    }
    const what = page && form.querySelector(`input[name=act][value=${page}]`);
    if (what) what.checked = true;
    shown();
  };
  begin();
})();
