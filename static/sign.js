// A box to sign in with a finger, a pen or the mouse: what is drawn goes along as whole numbers in a box of 600 by 200.
(() => {
  "use strict";
  const box = document.querySelector("[data-sign]");
  if (!box) return;
  const out = document.querySelector(`input[name="${box.dataset.sign}"]`);
  const pen = box.getContext("2d");
  let last = null;
  box.closest("[hidden]").hidden = false;
  pen.lineWidth = 4;
  pen.lineCap = "round";
  const at = (event) => {
    const edge = box.getBoundingClientRect();
    const part = (far, size, whole) => Math.max(0, Math.min(whole, Math.round((far / size) * whole)));
    return [part(event.clientX - edge.left, edge.width, 600), part(event.clientY - edge.top, edge.height, 200)];
  };
  box.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    box.setPointerCapture(event.pointerId);
    last = at(event);
    last.begun = true;
  });
  box.addEventListener("pointermove", (event) => {
    if (!last || out.value.length > 19000) return;
    const next = at(event);
    if (next[0] === last[0] && next[1] === last[1]) return;
    out.value += `${last.begun ? `M${last.join(" ")}` : ""}L${next.join(" ")}`;
    pen.beginPath();
    pen.moveTo(...last);
    pen.lineTo(...next);
    pen.stroke();
    last = next;
  });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => { last = null; });
  document.querySelector("[data-unsign]").addEventListener("click", () => {
    out.value = "";
    pen.clearRect(0, 0, 600, 200);
  });
})();
