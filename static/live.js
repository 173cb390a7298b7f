// Keeps parts of a page up to date: <div data-live="/today/fragment" [data-every="15"]>. The server's HTML replaces the part when
// it has changed. Slows down to once a minute while nothing changes, rests while the page is hidden, stops after a sign-out.
// A one-line summary inside may carry aria-live="polite"; the part itself must not.
(() => {
  "use strict";
  const SLOWEST = 60;

  const note = (box, words) => {
    let line = box.nextElementSibling;
    if (!line || !line.matches(".live-note")) {
      line = document.createElement("p");
      line.className = "live-note";
      line.setAttribute("role", "status");
      box.after(line);
    }
    line.textContent = words;
  };

  const replace = (box, html) => {
    const open = [...box.querySelectorAll("details")].map((fold) => fold.open);
    box.innerHTML = html;
    box.querySelectorAll("details").forEach((fold, n) => { fold.open = Boolean(open[n]); });
  };

  const watch = (box) => {
    const quickest = Number(box.dataset.every) || 15;
    let wait = quickest;
    let shown = null;
    let missed = 0;

    const look = async () => {
      if (document.hidden) return later();
      try {
        const answer = await fetch(box.dataset.live, { headers: { Accept: "text/html" }, redirect: "error" });
        if (answer.status === 401 || answer.status === 403) return note(box, "You were signed out. Sign in to go on.");
        if (!answer.ok) throw new Error(String(answer.status));
        const html = await answer.text();
        const busy = box.contains(document.activeElement);
        if (html !== shown && !busy) {
          if (shown !== null || html.trim() !== box.innerHTML.trim()) replace(box, html);
          shown = html;
          wait = quickest;
        } else {
          wait = Math.min(wait * 1.5, SLOWEST);
        }
        missed = 0;
        note(box, "");
      } catch {
        missed += 1;
        wait = Math.min(wait * 2, SLOWEST);
        if (missed > 1) note(box, "This page may be out of date. Load it again or call.");
      }
      return later();
    };
    const later = () => { window.setTimeout(look, wait * 1000); };
    later();
    document.addEventListener("visibilitychange", () => { if (!document.hidden) wait = quickest; });
  };

  document.querySelectorAll("[data-live]").forEach(watch);
})();
