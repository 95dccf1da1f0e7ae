// People in a picture: dots that fill, empty and fly. Hundreds of them change at a step, so they are circles of
// our own, in the place that bqplot gives to a mark without points.

import { numbers } from "./dom.js";

const SHARE = 0.82; // diameter of a dot, as a share of the distance of neighbours
const LARGEST = 22; // diameter of the largest dots, in pixels
const RIM = 0.14; // width of the rim, as a share of the diameter
const THINNEST = 0.75; // rim, in pixels
const FLIGHT = 200; // milliseconds of the way to another cell
const SVG = "http://www.w3.org/2000/svg";

const colour = (role) => `var(--rocviz-${role})`;

/** The fill of a person: of the predicted positive, of the referred, of the rest. @param {any} mark @param {number} i */
export const fillOf = ({ n_filled, n_pale, part_roles, role, fills = [] }, i) => {
  const own = colour(part_roles.length ? part_roles[i % part_roles.length] : role);
  if (fills.length) return fills[i] > 0 ? own : "none";
  if (i < n_filled) return own;
  return i < n_pale ? `color-mix(in srgb, ${own} 45%, transparent)` : "none";
};

const isSame = (one, other) => one.length === other.length && one.every((value, i) => value === other[i]);

/** The numbers of the people who get another place and fly there: not those of other data. */
export const flying = (before, now) => {
  if (!before || !now.mark.flies || before.x.length !== now.x.length) return [];
  if (!before.start.every((values, k) => isSame(values, now.start[k]))) return [];
  return [...now.x.keys()].filter((i) => before.x[i] !== now.x[i] || before.y[i] !== now.y[i]);
};

// Pixels of values along an axis, in one view.
const pixels = ({ scale, offset = 0 }) => {
  const start = scale(0) + offset, unit = scale(1) - scale(0);
  return { at: (value) => start + unit * value, unit: Math.abs(unit) };
};

/** The people of one mark, in all views. */
export class Crowd {
  constructor(mark, create) {
    this.made = mark;
    this.models = [create("ScatterModel", { x: [], y: [], visible: false, apply_clip: false })];
    this.targets = [];
    /** Views of the mark. @type {any[]} */
    this.views = [];
    /** What each view shows. @type {WeakMap<any, any>} */
    this.painted = new WeakMap();
    /** @type {any} */
    this.now = null;
  }

  fits({ kind }) { return kind === "People"; }

  show(mark, { handle }, _isFixed = false) {
    const [x, y, fills, ...start] = [mark.x, mark.y, mark.fills, mark.start_x, mark.start_y].map(numbers);
    this.now = { x, y, start, mark: { ...mark, fills }, handle };
    return [[this.models[0], { visible: x.length > 0 }]];
  }

  /** Draw what has changed; those who get another place while a hand moves a handle fly once it lets go. */
  paint(isSteered = false) {
    if (this.now) for (const view of this.views) this.paintIn(view, this.now, isSteered);
  }

  paintIn(view, now, isSteered) {
    const { mark, handle, x, y } = now;
    const across = pixels(view.scales.x), up = pixels(view.scales.y);
    if (!Number.isFinite(across.at(0) + up.at(0))) return; // it has no place on the page yet
    let old = this.painted.get(view);
    if (!old) {
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("class", "rocviz-people");
      view.d3el.node().append(group);
      old = { group, circles: [], places: [], fills: [], flights: new Map(), isFlying: false };
      this.painted.set(view, old);
    }
    const room = Math.min(mark.pitch[0] * across.unit, mark.pitch[1] * up.unit);
    const diameter = Math.min(SHARE * room, LARGEST * handle), rim = Math.max(RIM * diameter, THINNEST);
    const radius = String(Math.max((diameter - rim) / 2, 0.5));
    const { group, circles, places, fills } = old;
    const isResized = old.radius !== radius || old.across?.at(1) !== across.at(1) || old.up?.at(1) !== up.at(1);
    if (isResized) group.style.strokeWidth = `${rim}px`;
    while (circles.length > x.length) circles.pop().remove();
    while (circles.length < x.length) {
      const circle = document.createElementNS(SVG, "circle");
      circles.push(circle);
      group.append(circle);
      places[circles.length - 1] = fills[circles.length - 1] = "";
    }
    const before = old.steeredFrom ?? old.now, moved = isResized || isSteered ? [] : flying(before, now);
    circles.forEach((circle, i) => {
      const place = `${x[i]} ${y[i]}`, fill = fillOf(mark, i);
      if (isResized || places[i] !== place) {
        circle.setAttribute("cx", String(across.at(x[i])));
        circle.setAttribute("cy", String(up.at(y[i])));
        circle.setAttribute("r", radius);
        places[i] = place;
      }
      if (fills[i] !== fill) {
        circle.style.fill = fill;
        circle.style.stroke = colour(mark.part_roles.length ? mark.part_roles[i % mark.part_roles.length] : mark.role);
        fills[i] = fill;
      }
    });
    Object.assign(old, { now, radius, across, up, steeredFrom: isSteered ? before : null });
    if (isResized) old.flights.clear();
    if (!moved.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const begun = performance.now();
    const from = now.start[0].length ? now.start : [before.x, before.y];
    for (const i of moved) old.flights.set(i, { begun, from: [from[0][i], from[1][i]] });
    if (!old.isFlying) this.fly(old);
  }

  // Move those who fly, frame by frame, until all are at their places.
  fly(old) {
    const { circles, flights, now: { x, y }, across, up } = old, time = performance.now();
    for (const [i, { begun, from }] of flights) {
      const share = Math.min((time - begun) / FLIGHT, 1), left = (1 - share) ** 2;
      if (share === 1 || !(i < x.length)) flights.delete(i);
      if (!(i < x.length)) continue;
      circles[i].setAttribute("cx", String(across.at(x[i] + (from[0] - x[i]) * left)));
      circles[i].setAttribute("cy", String(up.at(y[i] + (from[1] - y[i]) * left)));
    }
    old.isFlying = flights.size > 0;
    if (old.isFlying) requestAnimationFrame(() => this.fly(old));
  }
}
