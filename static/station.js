// The keypad and the small steps of the station. The boxes beside them take typing as well.
(() => {
  "use strict";

  for (const pad of document.querySelectorAll("[data-keypad]")) {
    // With two boxes the keys go to the one that was touched last.
    const boxes = pad.dataset.keypad.split(" ").map((id) => document.getElementById(id));
    let [box] = boxes, fresh = true;
    pad.hidden = false;
    for (const one of boxes) {
      one.addEventListener("input", () => { fresh = false; });
      if (boxes.length > 1) one.addEventListener("focus", () => { if (box !== one) { box = one; fresh = true; } });
    }
    pad.addEventListener("click", (event) => {
      const key = event.target.closest("button")?.dataset.key;
      if (!key) return;
      const digits = fresh && key !== "back" ? "" : box.value.replace(/[^0-9]/g, "");
      const next = key === "clear" ? "" : key === "back" ? digits.slice(0, -1) : digits + key;
      box.value = next === "" ? "" : Number(next.slice(0, 6)).toLocaleString("en-US");
      fresh = false;
    });
  }

  for (const button of document.querySelectorAll("[data-step]")) {
    const box = document.getElementById(button.dataset.for);
    button.hidden = false;
    button.addEventListener("click", () => {
      const now = Number.parseFloat(box.value);
      box.value = (Number.isNaN(now) ? 7 : now + Number(button.dataset.step)).toFixed(1);
    });
  }

  // "No, it is not normal" opens the fold that asks what.
  for (const box of document.querySelectorAll("[data-opens]")) {
    for (const radio of document.querySelectorAll(`input[name="${box.dataset.opens}"]`)) {
      radio.addEventListener("change", () => { if (radio.value === "no") box.querySelector("details").open = true; });
    }
  }

  for (const table of document.querySelectorAll("[data-grid]")) {
    const boxes = [...table.querySelectorAll("input[data-column]")];
    const was = new Map(boxes.map((box) => [box, box.value]));
    table.addEventListener("keydown", (event) => {
      const box = event.target.closest("input");
      if (!box) return;
      if (event.key === "Escape" && was.has(box)) box.value = was.get(box);
      if (event.key !== "Enter" || !was.has(box)) return;
      // Down the column, at its foot to the head of the next one, and last to the button that saves: the laboratory's
      // own numbers, which few have, are a way of their own.
      const aside = box.dataset.column === "lab";
      const columns = [...new Set(boxes.map((one) => one.dataset.column))].filter((name) => (name === "lab") === aside);
      const down = columns.flatMap((name) => boxes.filter((one) => one.dataset.column === name));
      const next = down[down.indexOf(box) + 1] ?? table.closest("form").querySelector("button.btn:not([hidden])");
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
  }
})();
