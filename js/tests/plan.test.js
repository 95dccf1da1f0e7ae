// The plan of a lecture: parts, steps that are left out, and the minutes that are left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { minutesFrom, neighbour, partAt, partsOf } from "../src/plan.js";

const steps = [
  { part: { title: "a", minutes: 12 } }, { optional: true }, {},
  { part: { title: "b", minutes: 5 } },
  { part: { title: "c", minutes: 8 } }, { optional: true },
];

test("a part goes on to the next one, and a story without a plan has none", () => {
  assert.deepEqual(partsOf(steps).map(({ first, end }) => [first, end]), [[0, 3], [3, 4], [4, 6]]);
  assert.deepEqual([0, 2, 3, 5].map((at) => partAt(partsOf(steps), at)), [0, 0, 1, 2]);
  assert.deepEqual(partsOf([{}, {}]), []);
  assert.equal(partAt([], 0), -1);
});

test("a short lecture leaves optional steps out, forwards and backwards", () => {
  assert.equal(neighbour(steps, 0, 1, false), 1);
  assert.equal(neighbour(steps, 0, 1, true), 2);
  assert.equal(neighbour(steps, 2, -1, true), 0);
  assert.equal(neighbour(steps, 4, 1, true), steps.length); // nothing comes after it
});

test("each step takes the same share of its part", () => {
  assert.equal(minutesFrom(steps, 0, false), 25);
  assert.equal(minutesFrom(steps, 2, false), 17);
  assert.equal(minutesFrom(steps, 0, true), 8 + 5 + 4);
  assert.equal(minutesFrom(steps, steps.length, false), 0);
});
