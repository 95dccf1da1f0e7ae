import assert from "node:assert/strict";
import { test } from "node:test";
import { Glides, placeAt, placesOf, walk } from "../src/glide.js";

const WINDOW = /** @type {any} */ (globalThis);

// A window whose time and frames the test drives.
const driven = (wantsLess = false) => {
  const frames = [], clock = { now: 0 };
  WINDOW.requestAnimationFrame = (act) => frames.push(act);
  WINDOW.matchMedia = () => ({ matches: wantsLess });
  const { performance } = WINDOW;
  Object.defineProperty(WINDOW, "performance", { value: { now: () => clock.now }, configurable: true });
  const at = (time) => { clock.now = time; for (const act of frames.splice(0)) act(); };
  return { at, frames, end: () => Object.defineProperty(WINDOW, "performance", { value: performance, configurable: true }) };
};

const modelAt = (x, y) => ({ state: { visible: true, x, y }, get(name) { return this.state[name]; } });
const setAll = (changes) => { for (const [model, state] of changes) Object.assign(model.state, state); };
const seen = ({ state: { x, y } }) => [...x, ...y].map((value) => (Array.isArray(value) || value.length ? [...value] : value));

test("a walk goes back to where the ways part, and on from there", () => {
  const [top, left, right, low] = [[5, 9], [4, 8], [6, 8], [5, 7]];
  assert.deepEqual(walk([top, left], [top, right, low]), [left, top, right, low]);
  assert.deepEqual(walk([top], [top, left]), [top, left]);
  assert.deepEqual(walk([top, left, low], [top]), [low, left, top]);
  assert.deepEqual(walk([left], [right]), []);
  assert.deepEqual(walk([], [top]), []);
  assert.deepEqual(placesOf({ x: Float64Array.of(1, 2), y: Float64Array.of(3, 4) }), [[1, 3], [2, 4]]);
});

test("each step of a walk takes equally long", () => {
  const stops = [[0, 0], [1, 0], [1, 4]];
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map((share) => placeAt(stops, share)), [[0, 0], [0.5, 0], [1, 0], [1, 2], [1, 4]]);
});

test("a line glides from where it is seen, also if its place changes on the way", () => {
  const { at, frames, end } = driven();
  try {
    const model = modelAt([[0, 0]], [[0, 8]]), glides = new Glides(setAll);
    const changes = [[model, { visible: true, x: [[0, 0]], y: [[8, 16]] }]];
    glides.begin([model], /** @type {any} */ (changes));
    setAll(changes);
    assert.deepEqual(seen(model), [[0, 0], [0, 8]]);
    at(100);
    assert.deepEqual(seen(model), [[0, 0], [6, 14]]);
    const back = [[model, { visible: true, x: [[0, 0]], y: [[0, 8]] }]];
    glides.begin([model], /** @type {any} */ (back));
    setAll(back);
    assert.deepEqual(seen(model), [[0, 0], [6, 14]]);
    at(300);
    assert.deepEqual(seen(model), [[0, 0], [0, 8]]);
    assert.equal(frames.length, 0);
  } finally { end(); }
});

test("a handle walks, and what is hidden, has other points or may not move is there at once", () => {
  const { at, frames, end } = driven();
  try {
    const model = modelAt([0], [0]), glides = new Glides(setAll);
    const go = (state, stops = []) => {
      const changes = [[model, state]];
      glides.begin([model], /** @type {any} */ (changes), stops);
      setAll(changes);
    };
    go({ visible: true, x: [1], y: [4] }, [[0, 0], [1, 0], [1, 4]]);
    at(400 * (1 - Math.SQRT1_2)); // half of the way
    assert.deepEqual(seen(model).map((value) => Math.round(value * 1e9) / 1e9), [1, 0]);
    glides.end([model]);
    at(1000);
    assert.deepEqual([frames.length, ...seen(model).map(Math.round)], [0, 1, 0]);
    go({ visible: true, x: [1, 2], y: [4, 4] });
    assert.deepEqual([frames.length, ...seen(model)], [0, 1, 2, 4, 4]);
    go({ visible: false });
    go({ visible: true, x: [5, 6], y: [4, 4] });
    assert.deepEqual([frames.length, ...seen(model)], [0, 5, 6, 4, 4]);
    WINDOW.matchMedia = () => ({ matches: true });
    go({ visible: true, x: [7, 8], y: [4, 4] });
    assert.deepEqual([frames.length, ...seen(model)], [0, 7, 8, 4, 4]);
  } finally { end(); }
});
