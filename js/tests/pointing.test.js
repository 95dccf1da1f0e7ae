// What is pointed at in a picture, and the way of a rubber band.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nearestGrip, nearestPoint, onWay, pointsOf, wordsFor } from "../src/hands.js";
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

const array = (...values) => ({ shape: [values.length], data: Buffer.from(new Float32Array(values).buffer).toString("base64") });

test("a press takes the handle that is nearest along its own way", () => {
  const unit = { x: 0.01, y: 0.01 };
  const across = { name: "threshold", part: null, index: 0, x: 0.5, y: 1, along: "x" };
  const free = { name: "point", part: null, index: 0, x: 0.2, y: 0.8, along: "xy" };
  assert.equal(nearestGrip([across, free], { x: 0.45, y: 0 }, unit), across);
  assert.equal(nearestGrip([across, free], { x: 0.21, y: 0.79 }, unit), free);
  // a small one beside it is taken only where it is near in both ways
  const small = { name: "level", part: null, index: 0, x: 0.1, y: 0.3, along: "y", isAside: true };
  assert.equal(nearestGrip([small, across], { x: 0.7, y: 0.3 }, unit), across);
  assert.equal(nearestGrip([small, across], { x: 0.12, y: 0.35 }, unit), small);
  assert.equal(nearestGrip([], { x: 0, y: 0 }, unit), null);
  // where handles have rows, that of the row
  const [upper, lower] = [0.9, 0.2].map((x, i) => ({ ...across, x, row: /** @type {[number, number]} */ ([[0.5, 1], [0, 0.5]][i]) }));
  assert.equal(nearestGrip([upper, lower], { x: 0.25, y: 0.7 }, unit), upper);
  assert.equal(nearestGrip([upper, lower], { x: 0.8, y: 0.3 }, unit), lower);
  assert.deepEqual(onWay(across, { x: 0.3, y: 0.2 }), { x: 0.3, y: 1 });
  assert.deepEqual(onWay(free, { x: 0.3, y: 0.2 }), { x: 0.3, y: 0.2 });
});

test("the nearest point within reach is read out in the words of the axes", () => {
  const line = { kind: "Line", x: array(0, 0.25, 1), y: array(0, 0.75, NaN) }, bars = { kind: "Bars", x: array(0.25), y: array(9) };
  const wipe = { kind: "Handle", along: "x", x: array(0.5), y: array(0.35) }; // its height says nothing
  const points = pointsOf([line, bars, wipe]);
  assert.deepEqual(points, [{ x: 0, y: 0 }, { x: 0.25, y: 0.75 }]);
  assert.deepEqual(pointsOf([{ ...wipe, along: "xy", x: array(0.25), y: array(0.75) }]), [points[1]]);
  const unit = { x: 0.01, y: 0.01 };
  assert.equal(nearestPoint(points, { x: 0.3, y: 0.7 }, unit, 20), points[1]);
  assert.equal(nearestPoint(points, { x: 0.6, y: 0.7 }, unit, 20), null);
  const readings = ["ill, score about {x}", "", "{x}"], [x, y] = [array(0.9, 0.25), array(2, 3)];
  const people = pointsOf([{ kind: "People", x, y, n_filled: 1, n_pale: 1, readings }]);
  assert.deepEqual(people.map(({ text }) => text), ["0.25", "ill, score about 0.90"]);
  // marks with words of their own, and with none
  const dots = { kind: "Dots", x: array(0.2, 0.6), y: array(0.1, 0.3), readings: ["A: 0.2", "B: 0.6"] };
  assert.deepEqual(pointsOf([dots, line], false).map(({ text }) => text), ["A: 0.2", "B: 0.6"]);
  assert.deepEqual(pointsOf([{ ...dots, readings: [] }]), []);
  assert.deepEqual(pointsOf([{ ...dots, readings: ["all"] }]).map(({ text }) => text), ["all", "all"]); // the last holds on
  const axis = (label, ticks, visible = true) => ({ visible, label, limits: /** @type {[number, number]} */ ([0, 1]), ticks });
  const rate = axis("false positive rate", [[0, "0"], [1, "1"]]);
  assert.equal(wordsFor(points[1], [rate, axis("", [])]), "false positive rate 0.25, 0.75");
  assert.equal(wordsFor(points[0], [axis("", [], false), axis("", [[0, "group A"], [1, "group B"]])]), "group A");
});
