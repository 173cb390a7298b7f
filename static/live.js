// Pages that follow the plant: each part marked data-live is fetched again with its page and replaced where it changed.
// A part in which somebody types is left alone; what had the focus has it again. Without script the page is just not renewed.
(() => {
  "use strict";

  const FIRST = 15000;
  const MOST = 60000;
  const parts = () => document.querySelectorAll("[data-live][id]");
  const note = document.querySelector(".live-note");
  let wait = FIRST;
  let timer = 0;
  let looking = false;
  if (!parts().length || !note) return;

  const typing = (part) => {
    const here = document.activeElement;
    if (part.contains(here) && here.matches("input, select, textarea")) return true;
    return [...part.querySelectorAll("input:not([type=hidden]), textarea")].some(
      (box) => box.value !== box.defaultValue || box.checked !== box.defaultChecked);
  };

  // The same thing in the new part: its link, else its words.
  const same = (part, was) => [...part.querySelectorAll(was.tagName)].find((one) =>
    was.id ? one.id === was.id : was.hasAttribute("href") ? one.getAttribute("href") === was.getAttribute("href")
      : one.textContent === was.textContent);

  const renew = (part, fresh) => {
    if (part.innerHTML === fresh.innerHTML || typing(part)) return false;
    const focus = part.contains(document.activeElement) && document.activeElement !== part ? document.activeElement : null;
    const open = [...part.querySelectorAll("details[open] > summary")].map((one) => one.textContent);
    part.innerHTML = fresh.innerHTML;
    for (const one of part.querySelectorAll("details > summary")) {
      if (open.includes(one.textContent)) one.parentElement.open = true;
    }
    if (focus) {
      const next = same(part, focus);
      if (next) next.focus({ preventScroll: true });
      else {
        part.tabIndex = -1;
        part.focus({ preventScroll: true });
      }
    }
    return true;
  };

  const look = async () => {
    clearTimeout(timer);
    if (document.hidden || looking) return;
    looking = true;
    try {
      const answer = await fetch(location.href, { redirect: "manual", cache: "no-store" });
      if (answer.type === "opaqueredirect" || answer.status === 401 || answer.status === 403) {
        note.textContent = note.dataset.out;
        return;
      }
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      let changed = false;
      for (const part of parts()) {
        const fresh = page.getElementById(part.id);
        if (fresh && renew(part, fresh)) changed = true;
      }
      note.textContent = "";
      wait = changed ? FIRST : Math.min(wait * 1.5, MOST);
    } catch {
      note.textContent = note.dataset.stale;
      wait = MOST;
    } finally {
      looking = false;
    }
    timer = setTimeout(look, wait);
  };

  document.addEventListener("visibilitychange", look);
  timer = setTimeout(look, wait);
})();
