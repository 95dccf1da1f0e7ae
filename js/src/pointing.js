// What the mouse or a finger points at in a picture: read out near it, lit up in other pictures, or sent
// to the kernel where a picture can be drawn on.

import { make } from "./dom.js";
import { nearestGrip, nearestPoint, onWay, wordsFor } from "./hands.js";

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

const REACH = 40; // pixels from the mouse to a point that is read out
const MOVED = 8; // pixels after which a finger is no longer tapping
const LONG_PRESS = 450; // milliseconds after which a finger reads out what is under it

/** What a hand does on one picture of a page. */
class Hand {
  /**
   * @param {Drawing} drawing
   * @param {HTMLElement} el
   */
  constructor(drawing, el) {
    this.drawing = drawing;
    this.el = el;
    this.words = make("div", "rocviz-reading", { role: "status", hidden: true });
    this.ring = make("div", "rocviz-ring", { hidden: true });
    el.append(this.words, this.ring);
    this.isPressed = false; // where a picture is drawn on
    /** @type {any} the handle that is being moved */
    this.grip = null;
    this.tap = false; // whether a finger may be tapping
    this.start = { x: 0, y: 0 }; // where it was put down
    /** @type {any} the clock of a finger that may press for long */
    this.clock = null;
    this.walked = -1;
  }

  get figure() { return this.drawing.stage.values[`figure ${this.drawing.name}`]; }

  /** The axes on the screen, once they are drawn. @returns {any} */
  get box() { return this.el.querySelector(".plotarea_background")?.getBoundingClientRect(); }

  place(event) {
    const { figure, box } = this;
    return box && figure ? placeOf(figure.axes, box, event.clientX, event.clientY) : null;
  }

  /** What one pixel is, in the units of each axis. */
  get unit() {
    const { figure, box } = this;
    const [[left, right], [low, high]] = figure.axes.map(({ limits }) => limits);
    return { x: (right - left) / box.width || 1, y: (high - low) / box.height || 1 };
  }

  // -------------------------------------------------------------- reading

  /** Read out what is at an event of the mouse. */
  read(event) {
    const at = this.place(event);
    if (!at?.inside || this.drawing.isDragged) { this.leave(); return; }
    const text = this.drawing.read(at);
    const box = this.el.getBoundingClientRect();
    if (text) {
      this.ring.hidden = true;
      this.write(text, event.clientX - box.left, event.clientY - box.top);
    } else this.show(nearestPoint(this.drawing.points(), at, this.unit, REACH));
  }

  /** Ring a point, and read it out; or none. */
  show(point) {
    const text = point ? point.text ?? wordsFor(point, this.figure.axes) : "";
    if (!text) { this.hide(); return; }
    const { box, unit, figure } = this, around = this.el.getBoundingClientRect();
    const [[left], [low]] = figure.axes.map(({ limits }) => limits);
    const x = box.left - around.left + (point.x - left) / unit.x, y = box.bottom - around.top - (point.y - low) / unit.y;
    this.ring.hidden = false;
    this.ring.style.left = `${x}px`;
    this.ring.style.top = `${y}px`;
    this.write(text, x, y);
  }

  write(text, x, y) {
    const { words } = this, box = this.el.getBoundingClientRect();
    words.hidden = false;
    if (words.textContent !== text) words.textContent = text;
    const share = Math.min(Math.max(x / box.width, 0), 1);
    words.style.left = `${x}px`;
    words.style.top = `${y}px`;
    // above the place, and inside of the picture: flush left at its left edge, flush right at its right
    words.style.transform = `translate(${-100 * share}%, ${y < 70 ? "1.4em" : "calc(-100% - .9em)"})`;
  }

  hide() {
    this.words.hidden = true;
    this.ring.hidden = true;
    this.walked = -1;
  }

  leave() {
    this.hide();
    this.drawing.read(null);
  }

  /** Walk from point to point with the arrow keys. */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape" && this.walked >= 0) this.leave();
    if (!step || event.target !== this.el || event.ctrlKey || event.metaKey || event.altKey) return;
    const points = this.drawing.points();
    if (!points.length) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.walked < 0 && step < 0 ? points.length - 1 : this.walked + step;
    const place = Math.min(Math.max(next, 0), points.length - 1);
    this.show(points[place]);
    this.walked = place;
  }

  // -------------------------------------------------------------- moving and drawing

  report(event, what) {
    const at = this.place(event);
    if (at) this.drawing.report({ event: what === "release" && !at.inside ? "leave" : what, mark: "", x: at.x, y: at.y });
  }

  /** Take the nearest handle to where the hand is, if there is one. */
  take(event) {
    const at = this.place(event);
    if (!at) return false;
    this.grip = nearestGrip(this.drawing.grips(), at, this.unit);
    if (!this.grip) return false;
    this.drawing.report({ event: "near", mark: this.grip.name });
    this.move(event, "drag_start");
    this.move(event, "drag");
    return true;
  }

  move(event, what) {
    const at = this.place(event), { name, part, index } = this.grip;
    if (at) this.drawing.received(name, part, { event: what, data: null, point: onWay(this.grip, at), index });
  }

  drop(event) {
    if (this.grip) this.move(event, "drag_end");
    this.grip = null;
  }

  /** Whether a press here is for the picture: not on a mark with an own answer, nor outside of the axes. */
  isOurs(event) { return !this.drawing.isOverPart && !(event.button > 0) && Boolean(this.place(event)?.inside); }

  // A finger that stays where it is reads out what is there, and moves nothing.
  touch(event) {
    this.leave();
    this.start = { x: event.clientX, y: event.clientY };
    clearTimeout(this.clock);
    if (this.drawing.isDrawnOn) return;
    this.clock = setTimeout(() => {
      this.tap = false;
      this.el.focus({ preventScroll: true }); // what is read out stays until one presses elsewhere
      this.read(event);
    }, LONG_PRESS);
  }

  down(event) {
    if (event.pointerType === "touch") this.touch(event);
    if (!this.isOurs(event)) {
      if (event.pointerType !== "touch") this.read(event);
      return;
    }
    if (this.drawing.isDrawnOn) {
      this.isPressed = true;
      this.leave();
      this.el.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.report(event, "press");
    } else if (event.pointerType === "touch") {
      this.tap = true; // it may be the beginning of scrolling
    } else if (this.drawing.isLarge && this.take(event)) {
      this.leave();
      this.el.setPointerCapture(event.pointerId);
      this.el.focus({ preventScroll: true });
      event.preventDefault();
    } else this.read(event);
  }

  moved(event) {
    if (this.isPressed) this.report(event, "sweep");
    else if (this.grip) this.move(event, "drag");
    else if (event.pointerType !== "touch") this.read(event);
    else if (!this.isNear(event)) clearTimeout(this.clock);
  }

  /** Whether a finger is still where it was put down. */
  isNear(event) { return Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < MOVED; }

  up(event) {
    if (this.isPressed) this.report(event, "release");
    this.isPressed = false;
    this.drop(event);
    clearTimeout(this.clock);
    const isTap = this.tap && this.isNear(event);
    this.tap = false;
    if (isTap && this.drawing.isLarge && this.isOurs(event) && this.take(event)) this.drop(event);
  }

  /** The mouse has left; what a finger reads out stays when it is lifted. */
  left(event) { if (event.pointerType !== "touch") this.leave(); }

  /** A long press of a finger opens no menu. */
  menu(event) { if (event.pointerType === "touch") event.preventDefault(); }

  cancel(event) {
    this.isPressed = false;
    this.tap = false;
    clearTimeout(this.clock);
    this.drop(event);
  }
}

/**
 * Follow the mouse, a finger or the keys on a picture; returns a function that stops this.
 * @param {Drawing} drawing
 * @param {HTMLElement} el
 */
export function follow(drawing, el) {
  const hand = new Hand(drawing, el);
  const handlers = {
    pointermove: (event) => hand.moved(event),
    pointerdown: (event) => hand.down(event),
    pointerup: (event) => hand.up(event),
    pointercancel: (event) => hand.cancel(event),
    pointerleave: (event) => hand.left(event),
    keydown: (event) => hand.key(event),
    blur: () => hand.leave(),
    contextmenu: (event) => hand.menu(event),
  };
  for (const [name, handler] of Object.entries(handlers)) el.addEventListener(name, handler);
  return () => {
    hand.leave();
    clearTimeout(hand.clock);
    hand.words.remove();
    hand.ring.remove();
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
  let frame = 0, isOver = false;
  const finish = () => {
    cancelAnimationFrame(frame);
    if (!isOver) model.set(to);
    isOver = true;
  };
  const show = (now) => {
    const time = (now - begun) / SNAP_MS;
    if (time >= 1) { finish(); return; }
    const share = spring(Math.max(time, 0));
    model.set({ x: between(from.x, end.x, share), y: between(from.y, end.y, share) });
    frame = requestAnimationFrame(show);
  };
  frame = requestAnimationFrame(show);
  return finish;
}
