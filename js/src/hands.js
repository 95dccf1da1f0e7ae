// What the hand reaches in a picture: the handle that is nearest to a press, and the point that is nearest
// to the mouse or is walked to with the arrow keys.

import { numbers } from "./dom.js";

/**
 * A handle that can be moved; one that is aside is smaller than the one that its picture is about.
 * @typedef {{ name: string, part: any, index: number, x: number, y: number, along: string, row?: [number, number] | null, isAside?: boolean }} Grip
 */

/**
 * The thing of the least measure, if that is below a limit; of equal ones the first.
 * @template T
 * @param {T[]} things
 * @param {(thing: T) => number} measure
 * @param {number} limit
 * @returns {T | null}
 */
const leastOf = (things, measure, limit = Infinity) => {
  let best = null, least = limit;
  for (const thing of things) {
    const measured = measure(thing);
    if (measured < least) {
      least = measured;
      best = thing;
    }
  }
  return best;
};

/**
 * The handle that is nearest to a place, measured along the ways on which it moves, or in both ways for a handle
 * that is aside; of two, the one nearer in the other way. One with a row is reached from there only.
 * @param {Grip[]} grips
 * @param {{x: number, y: number}} at
 * @param {{x: number, y: number}} unit what one pixel is, in the units of each axis
 * @returns {Grip | null}
 */
export const nearestGrip = (grips, at, unit) => leastOf(grips, (grip) => {
  const { row } = grip;
  if (row && (at.y < row[0] || at.y > row[1])) return Infinity;
  const dx = Math.abs(at.x - grip.x) / unit.x, dy = Math.abs(at.y - grip.y) / unit.y;
  const aside = 1e-6 * Math.hypot(dx, dy);
  const isMeasured = (way) => grip.isAside || grip.along.includes(way);
  return Math.hypot(isMeasured("x") ? dx : 0, isMeasured("y") ? dy : 0) + aside;
});

/**
 * Where a handle goes for a place: on its way.
 * @param {Grip} grip
 * @param {{x: number, y: number}} at
 */
export const onWay = ({ x, y, along }, at) => ({
  x: along.includes("x") ? at.x : x,
  y: along.includes("y") ? at.y : y,
});

// People at their places, each with what it says.
const peopleOf = ({ x, y, n_filled, n_pale, readings }) => {
  const [xs, ys] = [x, y].map(numbers);
  return Array.from(xs, (place, i) => {
    const reading = readings[i < n_filled ? 0 : i < n_pale ? 1 : readings.length - 1];
    return { x: place, y: ys[i], text: reading.replace("{x}", place.toPrecision(2).replace("-", "−")) };
  });
};

/**
 * The points of marks that can be read out, from left to right. Some have words of their own, others those of
 * the axes, if any is shown.
 * @param {any[]} marks
 * @param {boolean} [hasAxes]
 * @returns {{x: number, y: number, text?: string}[]}
 */
export const pointsOf = (marks, hasAxes = true) => {
  const points = [];
  for (const mark of marks) {
    if (mark.kind === "People" && mark.readings.length) points.push(...peopleOf(mark));
    if (!["Line", "Dots", "Handle", "Knobs"].includes(mark.kind)) continue;
    if (mark.kind === "Handle" && mark.along !== "xy") continue; // across its way its place says nothing
    const texts = mark.readings;
    if (texts ? !texts.length : !hasAxes) continue;
    const xs = numbers(mark.x), ys = numbers(mark.y);
    const rows = Array.isArray(ys) ? ys : [ys];
    rows.forEach((row, k) => {
      const across = Array.isArray(xs) ? xs[k % xs.length] : xs;
      for (let i = 0; i < row.length; i++) {
        if (!Number.isFinite(across[i]) || !Number.isFinite(row[i])) continue;
        points.push({ x: across[i], y: row[i], ...(texts && { text: texts[Math.min(i, texts.length - 1)] }) });
      }
    });
  }
  return points.sort((a, b) => a.x - b.x || a.y - b.y);
};

/**
 * The point that is nearest to a place, if it is within some pixels.
 * @template {{x: number, y: number}} P
 * @param {P[]} points
 * @param {{x: number, y: number}} at
 * @param {{x: number, y: number}} unit what one pixel is, in the units of each axis
 * @param {number} reach in pixels
 * @returns {P | null}
 */
export const nearestPoint = (points, at, unit, reach) =>
  leastOf(points, (point) => Math.hypot((at.x - point.x) / unit.x, (at.y - point.y) / unit.y), reach);

// Whether a tick is a name, such as that of a group, in place of a number.
const isName = (label) => label !== "" && Number.isNaN(Number(label.replace("−", "-").replace(/[%,]/g, "").trim()));

const rounded = (value, [low, high]) => {
  const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(high - low || 1))));
  return value.toFixed(digits).replace("-", "−");
};

/**
 * The words for a point: what each axis says of it.
 * @param {{x: number, y: number}} point
 * @param {{visible: boolean, label: string, limits: [number, number], ticks: [number, string][]}[]} axes
 */
export const wordsFor = (point, axes) => {
  const words = [];
  axes.forEach(({ visible, label, limits, ticks }, i) => {
    if (!visible) return;
    const value = i === 0 ? point.x : point.y;
    const tick = ticks.find(([place]) => Math.abs(place - value) < 1e-9);
    if (ticks.some(([, name]) => isName(name))) {
      if (tick) words.push(tick[1]);
    } else words.push(label ? `${label} ${rounded(value, limits)}` : rounded(value, limits));
  });
  return words.join(", ");
};
