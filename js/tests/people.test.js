import assert from "node:assert/strict";
import { test } from "node:test";
import { fillOf, flying } from "../src/people.js";

const state = (x, more = {}) => ({ x, y: x.map(() => 0), start: [[0, 0], [1, 1]], mark: { flies: true }, ...more });

test("the first people are filled, those after them pale, and the rest outlined", () => {
  const mark = { n_filled: 1, n_pale: 2, part_roles: [], role: "positive" };
  assert.equal(fillOf(mark, 0), "var(--rocviz-positive)");
  assert.match(fillOf(mark, 1), /^color-mix\(.*--rocviz-positive/);
  assert.equal(fillOf(mark, 2), "none");
});

test("those fly who get another place, unless the data are others", () => {
  const before = state([1, 2]);
  assert.deepEqual(flying(null, before), []);
  assert.deepEqual(flying(before, state([1, 3])), [1]);
  assert.deepEqual(flying(before, state([1, 3], { mark: { flies: false } })), []);
  assert.deepEqual(flying(before, state([1, 3, 4])), []);
  assert.deepEqual(flying(before, state([1, 3], { start: [[0, 5], [1, 1]] })), []);
});
