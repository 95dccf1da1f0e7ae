import assert from "node:assert/strict";
import { test } from "node:test";
import { Ahead } from "../src/ahead.js";
import { key } from "../src/player.js";

// A page that was sent five positions of "threshold" ahead, 0 to 40.
const opened = (axis = {}) => {
  const ahead = new Ahead({});
  const places = [];
  const positions = [0, 10, 20, 30, 40];
  ahead.player = /** @type {any} */ ({
    data: { scenes: [{ axes: [{ name: "threshold", positions, ...axis }] }], columns: [{ model: "dot", name: "x" }], rail: "rail" },
    at: [1],
    held: new Set(),
    shown: [3],
    placeOf: (_axis, { position }) => positions.findIndex((one) => Math.abs(one - position) <= 5),
    go: (_axis, place) => places.push(place),
  });
  return { ahead, places };
};

test("a recorded position is shown at once, and is exact", () => {
  const { ahead, places } = opened();
  assert.equal(ahead.hand({ control: "threshold", position: 20, request: "r1" }), false);
  assert.deepEqual([places, ahead.exact, ahead.open], [[2], true, "r1"]);
});

test("a position near a recorded one is shown, and not exact; one far from all is not shown", () => {
  const { ahead, places } = opened();
  ahead.hand({ control: "threshold", position: 21, request: "r1" });
  assert.deepEqual([places, ahead.exact], [[2], false]);
  ahead.hand({ control: "threshold", position: 25, request: "r2" });
  assert.deepEqual([places, ahead.open], [[2], null]);
});

test("any other control makes the recording worthless", () => {
  const { ahead } = opened();
  assert.equal(ahead.hand({ control: "seed", position: 1, request: "r1" }), true);
  assert.equal(ahead.player, null);
});

test("a recorded press is shown at once", () => {
  const { ahead, places } = opened({ positions: undefined, moves: { [key({ control: "go" })]: [-1, 4] } });
  ahead.hand({ control: "go", request: "r1" });
  assert.deepEqual(places, [4]);
});

test("a frame older than what is shown loses the traits that were recorded", () => {
  const { ahead } = opened();
  ahead.hand({ control: "threshold", position: 20, request: "r1" });
  const frame = { dot: { x: [1], colors: [] } };
  ahead.filter({ of: "r0", preview: false }, frame);
  assert.deepEqual(frame, { dot: { colors: [] } });
});

test("the frame that answers is shown whole", () => {
  const { ahead } = opened();
  ahead.hand({ control: "threshold", position: 20, request: "r1" });
  const frame = { dot: { x: [1] } };
  ahead.filter({ of: "r1", preview: false }, frame);
  assert.deepEqual(frame, { dot: { x: [1] } });
  assert.deepEqual([ahead.open, ahead.player?.shown], [null, [-1]]);
});
