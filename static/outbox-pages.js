// The pages a tablet keeps: the forms to log or refuse a load without network, and the list of what is on the tablet.
(() => {
  "use strict";
  const { box, written, kept, notKept, work, missing, wanting, point, onDuty } = self.StationOutbox;
  if (!box) return;
  const of = (id) => document.getElementById(id);
  const made = (tag, text, name = "") => Object.assign(document.createElement(tag), { textContent: text, className: name });

  const form = document.querySelector("form[data-outbox]"), kind = form?.dataset.outbox || "";
  const chosen = () => form.querySelector("input[name=visit]:checked");
  const asked = (fields) => {
    const one = (name) => String(fields.get(name) || "").trim(), found = [];
    const part = kind && !of("rest").hidden;
    if (part && !one("of")) found.push(["of", "Enter the ticket or slip of that load"]);
    if (!part && !chosen()) found.push(["visit", "Select who is here"]);
    if (!kind && chosen()?.id === "visit-other" && !one("stranger")) found.push(["stranger-name", "Enter the name and plate of the truck"]);
    const stranger = kind && !part && chosen()?.id === "visit-other";
    if (kind && !stranger) fields.set("business_name", "");
    if (stranger && !one("business_name")) found.push(["business_name", "Enter the name on the truck"]);
    found.push(...(kind ? wanting(fields).filter(([id]) => id !== "business_name") : missing(fields)));
    if (part) for (const [name, words] of [["out", "unloaded"], ["left", "staying in the truck"]]) {
      if (!/^\d[\d,]*$/.test(one(name))) found.push([name, `Enter the gallons ${words}, like 1,500`]);
    }
    if (!of("duty").hidden && !one("on_duty")) found.push(["on_duty", "Enter who is on duty"]);
    return found;
  };
  const fill = () => {
    const one = chosen();
    of("stranger").hidden = one?.id !== "visit-other";
    if (kind) return;
    if (one?.dataset.gallons) form.elements.gallons.value = Number(one.dataset.gallons).toLocaleString("en-US");
    const waste = one?.dataset.waste && form.querySelector(`input[name=waste][value="${one.dataset.waste}"]`);
    if (waste) waste.checked = true;
  };
  // Whom the load will name is on the page before it is kept, and can be changed: then it is what was typed.
  const ask = (name) => {
    of("duty").hidden = Boolean(name);
    of("duty-known").hidden = !name;
    of("duty-name").textContent = name;
  };
  // The rest of a load that is named: by the page it was refused on, or by the one who types its number.
  const inPart = () => {
    const open = (number) => {
      of("rest").hidden = of("whose").hidden = of("in-part").hidden = true;
      of("rest").hidden = false;
      form.elements.of.value = number;
    };
    const ticket = (location.pathname.match(/\/station\/load\/([^/]+)\/rest$/) || [])[1] || new URLSearchParams(location.search).get("of");
    if (ticket) open(ticket);
    of("in-part").addEventListener("click", () => { open(""); form.elements.of.focus(); });
  };
  const begin = async () => {
    const ticket = (location.pathname.match(/\/station\/load\/(\d{4}-\d{5,})$/) || [])[1];
    if (ticket) {
      const bar = made("p", `Load ${ticket} is in the books. Its page needs the network. `, "state-bar");
      bar.append(Object.assign(made("a", "Pause, stop or sign it", "beside"), { href: `${of("run").href}?of=${ticket}` }));
      form.before(bar);
    }
    ask(await onDuty().catch(() => ""));
    // A load that is put right is shown only once it stands there as it was written.
    form.hidden = Boolean(wanted);
    if (kind) inPart();
    of("duty-change").addEventListener("click", () => { ask(""); of("on_duty").focus(); });
    const here = new URLSearchParams(location.search);
    for (const one of form.querySelectorAll("input[name=visit]")) {
      const its = new URLSearchParams(one.value);
      const same = here.get("booking") ? its.get("booking") === here.get("booking")
        : here.get("truck") && its.get("truck") === here.get("truck") && its.get("business") === here.get("business");
      if (same) { one.checked = true; fill(); one.parentElement.scrollIntoView({ block: "nearest" }); break; }
    }
  };
  // A load that waits here, to be put right: all as it was written, and why it is changed.
  const wanted = form && !kind && new URLSearchParams(location.search).get("correct");
  let written_as = null;
  const asWritten = async () => {
    written_as = (await box.all().catch(() => [])).find((one) => one.slip === wanted && !one.kind) || null;
    if (!written_as) { location.replace(`${location.pathname.replace(/[^/]+$/, "on-tablet")}?saved=${encodeURIComponent(wanted)}`); return; }
    const same = (one) => JSON.stringify(Object.fromEntries(new URLSearchParams(one.value))) === JSON.stringify(written_as.visit);
    const mine = [...form.querySelectorAll("input[name=visit]")].find(same) || of("visit-other");
    mine.checked = true;
    for (const input of form.querySelectorAll("[name]:not([name=visit])")) {
      const values = written_as.fields.filter(([name]) => name === input.name).map(([, value]) => value);
      if (["radio", "checkbox"].includes(input.type)) input.checked = values.includes(input.value);
      else if (input.name !== "strokes") input.value = values[0] || "";
    }
    const [, truck, note] = form.elements.note.value.match(/^Truck not listed: (.*?)\. ?([^]*)$/) || [];
    if (truck) { form.elements.stranger.value = truck; form.elements.note.value = note; }
    of("stranger").hidden = mine.id !== "visit-other";
    of("correcting").hidden = false;
    of("correcting-slip").textContent = wanted;
    form.querySelector("button[type=submit]").textContent = "Keep the correction";
    form.hidden = false;
    mine.parentElement.scrollIntoView({ block: "nearest" });
  };
  // The driver signed for these figures: another load is signed anew.
  const SIGNED_FOR = ["gallons", "waste", "driver"];
  const corrected = async (load, why) => {
    const one = (fields, name) => (fields.find(([key]) => key === name) || [])[1] || "";
    const { fields, visit, seen } = load, old = one(written_as.fields, "strokes");
    const same = SIGNED_FOR.every((name) => one(fields, name).replace(/,/g, "") === one(written_as.fields, name).replace(/,/g, ""));
    if (old && !one(fields, "strokes") && same) fields.push(["strokes", old]);
    if (!await box.correct(wanted, { fields, visit, seen }, why, load.on_duty || await onDuty())) {
      point(form, [["gallons", `Slip ${wanted} was sent meanwhile: correct its ticket once there is network`]]);
      busy = false;
      return;
    }
    kept({ slip: wanted });
  };
  const id = crypto.randomUUID().replaceAll("-", "");
  let busy = false;
  const keeping = async () => {
    const fields = new FormData(form), one = chosen();
    if (of("duty").hidden && await onDuty() !== of("duty-name").textContent) ask("");
    const why = String(fields.get("corrected_why") || "").trim();
    if (busy || point(form, [...asked(fields), ...(wanted && !why ? [["corrected_why", "Enter why it is corrected"]] : [])])) return;
    busy = true;
    fields.delete("corrected_why");
    if (!kind && one.id === "visit-other") fields.set("note", `Truck not listed: ${fields.get("stranger")}. ${fields.get("note") || ""}`.trim());
    fields.set("client_id", id);
    const rest = fields.get("of");
    if (rest) fields.delete("visit");
    fields.set("plan_seen", rest ? "" : one.dataset.plan);
    fields.set("who_seen", rest ? `The rest of load ${rest}` : one.parentElement.innerText.trim().replace(/\s+/g, " "));
    if (of("duty").hidden) fields.delete("on_duty");
    const load = written(fields, { pathname: "", search: "" }, kind);
    if (written_as) await corrected(load, why);
    else kept(await box.keep(load));
  };
  const keep = () => keeping().catch(() => { busy = false; notKept(kind); });
  if (form) {
    form.addEventListener("change", (event) => { if (event.target.name === "visit") fill(); });
    form.addEventListener("submit", (event) => { event.preventDefault(); keep(); });
    begin().then(() => wanted && asWritten());
  }

  // Everything is stopped with one tap: it counts from then on, who is on duty or not.
  for (const button of document.querySelectorAll("[data-stop-all]")) button.addEventListener("click", async () => {
    button.disabled = true;
    const typed = of("duty")?.hidden === false ? of("on_duty").value.trim() : "";
    const load = { id: crypto.randomUUID().replaceAll("-", ""), visit: {}, fields: [], kind: "stop_all", at: new Date().toISOString(),
      seen: { plan: "", who: "Every truck" }, ...(typed && { on_duty: typed }) };
    await box.keep(load).then(kept, () => { button.disabled = false; notKept("stop_all"); });
  });

  const list = of("kept"), DID = { pause: "Paused", resume: "Resumed", stop: "Stopped", rate: "Another rate of", more: "More gallons in", sign: "Signed" };
  const value = (load, name) => (load.fields.find(([key]) => key === name) || [])[1] || "";
  const moment = (load) => new Date(Date.parse(load.at) + 1000 * (load.offset || 0))
    .toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: list.dataset.zone })
    .replace(/\sAM$/, " a.m.").replace(/\sPM$/, " p.m.");
  // What the server would not take: sent again, or done by hand, which stays among what was sent.
  const taps = (load) => {
    const row = made("div", "", "buttons"), tap = (words, work) => {
      const button = Object.assign(made("button", words, "btn btn-secondary"), { type: "button" });
      button.addEventListener("click", async () => { await work(); dispatchEvent(new Event("outbox")); });
      return button;
    };
    row.append(tap("Send it again", async () => { await box.mark(load, ""); await work(); }),
      tap("It is entered by hand", () => box.gone(load, { state: "by_hand", why: "Entered by hand." })));
    return row;
  };
  const slip = (load, ticket) => {
    const card = made("li", "");
    card.dataset.slip = load.slip;
    card.append(made("b", `Slip ${load.slip}`), made("span", ticket));
    const refused = load.kind === "refusal", left = value(load, "left"), done = load.kind === "act", all = load.kind === "stop_all";
    const out = value(load, "gallons") && `${value(load, "gallons")} gallons out`, rate = value(load, "rate") && `${value(load, "rate")} gallons an hour`, more = value(load, "more") && `${value(load, "more")} gallons more`;
    const rows = [list.dataset.plant, load.seen?.who, all ? `Everything stopped${value(load, "reason") && `: ${value(load, "reason")}`}` : done ? [`${DID[value(load, "act")]} load ${value(load, "of")}`, rate, more, out, value(load, "reason")].filter(Boolean).join(", ")
      : refused ? `Refused${left ? `, ${left} gallons` : ""}: ${value(load, "reason")}`
      : `${value(load, "gallons")} gallons, ${value(load, "waste").replaceAll("_", " ")}`,
      value(load, "driver") && `Driver ${value(load, "driver")}`, value(load, "strokes") && "Signed by the driver", value(load, "bottle") && `Sample bottle ${value(load, "bottle")}`,
      `${moment(load)}${load.on_duty ? `, on duty ${load.on_duty}` : ""}`, load.seen?.plan];
    card.append(...rows.filter(Boolean).map((text) => made("span", text)));
    if (load.stuck) card.append(made("b", `It stays on this tablet: ${load.stuck} Print it, enter it at the station by hand, and say so here.`), taps(load));
    for (const was of load.was || []) card.append(made("span", `Corrected: ${was.why} It had said ${(was.fields.find(([name]) => name === "gallons") || [])[1] || "no"} gallons.`));
    if (!load.kind && list.dataset.form && !load.answer) card.append(Object.assign(made("a", "Correct it", "beside"), { href: `${list.dataset.form}?correct=${load.slip}` }));
    if (!load.stuck && !refused && !done && !all && list.dataset.refuse) card.append(Object.assign(made("a", "Pause, stop or sign it", "beside"), { href: `${list.dataset.run}?of=${load.slip}` }), Object.assign(made("a", "Refuse the rest of it", "beside"), { href: `${list.dataset.refuse}?of=${load.slip}` }));
    return card;
  };
  const became = ({ answer }) => answer.state === "by_hand" ? "Entered by hand" : answer.state === "taken" ? "No truck unloaded then"
    : "Waits for a person at the plant";
  // Loads are read where somebody is signed in, or has left the form here without signing out: else they are counted.
  const formKept = async () => Boolean(self.caches && await caches.match(list.dataset.form, { ignoreVary: true }));
  const draw = async () => {
    const signed = localStorage.getItem("signed"), form = await formKept(), open = form || Boolean(signed);
    const away = location.pathname !== list.dataset.here || !navigator.onLine;
    const all = await box.all(), waits = all.filter((one) => !one.stuck), stuck = all.filter((one) => one.stuck), sent = (await box.fact("sent")) || [], mine = new URLSearchParams(location.search).get("saved");
    // All is known before anything is shown: no heading stands over a list that is still to come.
    of("nobody").hidden = open;
    of("no-form").hidden = form || !signed || !away;
    of("another").hidden = !form && (away || !signed);
    of("sent-part").hidden = !open;
    list.replaceChildren(...(open ? waits.map((one) => slip(one, one.kind === "stop_all" ? "Not sent yet" : "Ticket number follows")) : []));
    of("stuck-part").hidden = !open || !stuck.length;
    of("stuck").replaceChildren(...(open ? stuck.map((one) => slip(one, "Not taken")) : []));
    of("kept-none").hidden = waits.length > 0;
    of("kept-count").hidden = open || !waits.length;
    of("kept-count").textContent = waits.length === 1 ? "1 load waits to be sent." : `${waits.length} loads wait to be sent.`;
    of("sent").replaceChildren(...(open ? sent : []).map((one) => slip(one, one.answer.ticket ? `Ticket ${one.answer.ticket}` : became(one))));
    of("sent-none").hidden = sent.length > 0;
    const here = all.find((one) => one.slip === mine), gone = sent.find((one) => one.slip === mine), saved = of("saved");
    saved.hidden = !(here || gone);
    const follows = here?.kind === "stop_all" ? "Stop the trucks: it counts from the tap on. The plant's computer and the haulers hear of it when it is sent." : "The ticket number follows.";
    saved.replaceChildren(...(here ? [made("h2", "Saved on this tablet. Not sent yet.", "panel-title"), made("p", `Slip ${mine}. ${follows}`)]
      : gone ? [made("h2", gone.answer.ticket ? `Sent: ticket ${gone.answer.ticket}` : `Sent: ${became(gone).toLowerCase()}`, "panel-title"), made("p", open && gone.answer.why || `Slip ${mine}.`)] : []));
  };
  if (list) {
    // Printed is the slip just written, without the others.
    const others = (hidden) => {
      const mine = new URLSearchParams(location.search).get("saved");
      if (mine) for (const card of document.querySelectorAll("#kept li, #stuck li, #sent li")) card.hidden = hidden && card.dataset.slip !== mine;
    };
    addEventListener("beforeprint", () => others(true));
    addEventListener("afterprint", () => others(false));
    addEventListener("outbox", draw);
    draw().then(work);
  }
})();
