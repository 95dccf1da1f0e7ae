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
    data: { columns: [{ name: "mark roc dot" }] },
    now: { axes: [{ name: "threshold", positions, ...axis }] },
    at: [1],
    dragged: "",
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
  assert.deepEqual([places, ahead.exact, ahead.player?.dragged], [[2], false, "control threshold"]);
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

test("what is older than what is shown loses the parts that were recorded", () => {
  const { ahead } = opened();
  ahead.hand({ control: "threshold", position: 20, request: "r1" });
  const changes = { "mark roc dot": {}, about: "" };
  ahead.answered({ of: "r0", preview: false }, changes);
  assert.deepEqual(changes, { about: "" });
});

test("what answers is shown whole, and what drops the recording ends it", () => {
  const { ahead } = opened();
  ahead.hand({ control: "threshold", position: 20, request: "r1" });
  const changes = { "mark roc dot": {} };
  ahead.answered({ of: "r1", preview: false }, changes);
  assert.deepEqual(changes, { "mark roc dot": {} });
  assert.deepEqual([ahead.open, ahead.player?.shown], [null, [-1]]);
  ahead.answered({ of: "r1", preview: false, dropped: true }, changes);
  assert.equal(ahead.player, null);
});
