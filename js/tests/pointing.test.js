// What is pointed at in a picture, and the way of a rubber band.

import assert from "node:assert/strict";
import { test } from "node:test";

import { between } from "../src/picture.js";
import { intervalOf, placeOf, stretched } from "../src/pointing.js";

test("a value is found in its interval, and outside in none", () => {
  const borders = [0, 1, 3, 3.5];
  assert.deepEqual([-0.1, 0, 0.9, 1, 2.9, 3, 3.4, 3.5, NaN].map((at) => intervalOf(borders, at)), [-1, 0, 0, 1, 1, 2, 2, -1, -1]);
});

test("a place of the screen is one of the picture", () => {
  const axes = [{ limits: [0, 10] }, { limits: [-1, 1] }], box = { left: 100, top: 50, width: 200, height: 100 };
  assert.deepEqual(placeOf(axes, box, 150, 50), { x: 2.5, y: 1, inside: true });
  assert.deepEqual(placeOf(axes, box, 320, 150), { x: 11, y: -1, inside: false });
});

test("the lines between cells keep to the borders of columns and rows", () => {
  const columns = [0, 2, 3, 5], rows = [0, 1, 4];
  const { x, y } = between(columns, rows);
  const inside = [];
  for (let i = 1; i < x.length; i++) {
    assert.ok(x[i] === x[i - 1] || y[i] === y[i - 1], "no line is slanted");
    if (x[i] === x[i - 1] && ![0, 5].includes(x[i])) inside.push(`x${x[i]}`);
    if (y[i] === y[i - 1] && ![0, 4].includes(y[i])) inside.push(`y${y[i]}`);
  }
  assert.deepEqual(inside, ["x2", "x3", "y1"]);
});

test("each point of a curve goes to its place on the hull above it", () => {
  const curve = { x: [0, 0, 1, 1, 2, 3], y: [0, 2, 2, 3, 3, 3] };
  const hull = { x: [0, 0, 1, 3], y: [0, 2, 3, 3] };
  const { x, y } = stretched(curve, hull);
  assert.deepEqual(x, [0, 0, 0.5, 1, 2, 3]);
  assert.deepEqual(y, [0, 2, 2.5, 3, 3, 3]);
});
