// What the mouse or a finger points at in a picture: read out near it, lit up in other pictures, or sent
// to the kernel where a picture can be drawn on.

import { make } from "./dom.js";

/** @import { Drawing } from "./picture.js" */

/**
 * The number of the interval of increasing borders that a value is in; -1 if it is in none.
 * @param {ArrayLike<number>} borders
 * @param {number} value
 */
export const intervalOf = (borders, value) => {
  if (!(value >= borders[0] && value < borders[borders.length - 1])) return -1;
  let low = 0, high = borders.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (borders[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
};

/**
 * A place of the screen in the coordinates of a picture, and whether it is inside of the axes.
 * @param {{limits: number[]}[]} axes
 * @param {{left: number, top: number, width: number, height: number}} box of the axes on the screen
 * @param {number} clientX
 * @param {number} clientY
 */
export const placeOf = (axes, box, clientX, clientY) => {
  const [[left, right], [low, high]] = axes.map(({ limits }) => limits);
  const across = (clientX - box.left) / box.width, up = 1 - (clientY - box.top) / box.height;
  return {
    x: left + across * (right - left),
    y: low + up * (high - low),
    inside: across >= 0 && across <= 1 && up >= 0 && up <= 1,
  };
};

/**
 * Follow the mouse, or a finger, over a picture; returns a function that stops this.
 * @param {Drawing} drawing
 * @param {HTMLElement} el
 */
export function follow(drawing, el) {
  const words = make("div", "rocviz-reading", { role: "status", hidden: true });
  el.append(words);
  let isPressed = false;
  const place = (event) => {
    const area = el.querySelector(".plotarea_background"), figure = drawing.stage.values[`figure ${drawing.name}`];
    return area && figure ? placeOf(figure.axes, area.getBoundingClientRect(), event.clientX, event.clientY) : null;
  };
  const read = (event) => {
    const at = place(event), text = at?.inside ? drawing.read(at) : drawing.read(null);
    words.hidden = !text;
    if (!text) return;
    if (words.textContent !== text) words.textContent = text;
    const box = el.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const share = Math.min(Math.max(x / box.width, 0), 1);
    words.style.left = `${x}px`;
    words.style.top = `${y}px`;
    // above the mouse, and inside of the picture: flush left at its left edge, flush right at its right
    words.style.transform = `translate(${-100 * share}%, ${y < 70 ? "1.4em" : "calc(-100% - .9em)"})`;
  };
  const leave = () => {
    words.hidden = true;
    drawing.read(null);
  };
  const report = (event, what) => {
    const at = place(event);
    if (at) drawing.report({ event: what, mark: "", x: at.x, y: at.y, ...(what === "release" && { inside: at.inside }) });
  };
  const handlers = {
    pointermove: (event) => {
      if (isPressed) report(event, "sweep");
      else read(event);
    },
    pointerdown: (event) => {
      if (!drawing.isDrawnOn || drawing.isOverPart || event.button > 0 || !place(event)?.inside) { read(event); return; }
      isPressed = true;
      leave();
      el.setPointerCapture(event.pointerId);
      event.preventDefault();
      report(event, "press");
    },
    pointerup: (event) => {
      if (isPressed) report(event, "release");
      isPressed = false;
    },
    pointercancel: () => { isPressed = false; },
    pointerleave: leave,
  };
  for (const [name, handler] of Object.entries(handlers)) el.addEventListener(name, handler);
  return () => {
    leave();
    words.remove();
    for (const [name, handler] of Object.entries(handlers)) el.removeEventListener(name, handler);
  };
}

// ------------------------------------------------------------------ a rubber band

const SNAP_MS = 600;

/**
 * Where each point of a line lies on another one over the same range of x, at the same share of the way
 * between the corners of that one. Both go to the right and upwards.
 * @param {{x: ArrayLike<number>, y: ArrayLike<number>}} line
 * @param {{x: ArrayLike<number>, y: ArrayLike<number>}} band
 */
export const stretched = (line, band) => {
  const x = [], y = [], n = band.x.length;
  let k = 0;
  for (let i = 0; i < line.x.length; i++) {
    const [px, py] = [line.x[i], line.y[i]];
    while (k < n - 2 && (px > band.x[k + 1] || (px === band.x[k + 1] && py >= band.y[k + 1]))) k += 1;
    const dx = band.x[k + 1] - band.x[k], dy = band.y[k + 1] - band.y[k], length = dx * dx + dy * dy;
    const share = length ? Math.min(Math.max(((px - band.x[k]) * dx + (py - band.y[k]) * dy) / length, 0), 1) : 0;
    x.push(band.x[k] + share * dx);
    y.push(band.y[k] + share * dy);
  }
  return { x, y };
};

// It swings a little past its end, as a band that is let go.
const spring = (time) => 1 - Math.exp(-6 * time) * Math.cos(9 * time) * (1 - time);

/**
 * Let a line snap from another one to its place, unless motion is unwanted. Returns a function that ends it.
 * @param {any} model of the line
 * @param {{x: any, y: any}} from
 * @param {{x: any, y: any}} to
 */
export function snap(model, from, to) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const end = stretched(from, to), begun = performance.now();
  const between = (a, b, share) => Float64Array.from(a, (value, i) => value + share * (b[i] - value));
  let frame = 0;
  const show = (now) => {
    const time = (now - begun) / SNAP_MS;
    if (time >= 1) { model.set(to); return; }
    const share = spring(Math.max(time, 0));
    model.set({ x: between(from.x, end.x, share), y: between(from.y, end.y, share) });
    frame = requestAnimationFrame(show);
  };
  frame = requestAnimationFrame(show);
  return () => cancelAnimationFrame(frame);
}
