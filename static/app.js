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

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
})();
