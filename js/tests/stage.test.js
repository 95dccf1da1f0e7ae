import assert from "node:assert/strict";
import { test } from "node:test";
import { Shown, withNumbers } from "../src/stage.js";

test("numbers that came beside a message are put into the marks", () => {
  const values = { sentence: "So.", "panel roc": null, "mark roc line": { kind: "Line", role: "curve", x: { shape: [1], data: 1 } } };
  const buffers = /** @type {any} */ (["first", "second"]);
  assert.equal(/** @type {any} */ (withNumbers(values, buffers))["mark roc line"].x.data, "second");
});

test("what changes reaches every view and drawn in its picture, whatever another one cannot do", (t) => {
  const logged = t.mock.method(console, "error", () => {});
  const shown = new Shown({ "mark roc line": 1 }, {}, {});
  const updated = [], drawn = [];
  shown.views.add(/** @type {any} */ ({ update: () => { throw new Error("cannot"); } }));
  shown.views.add(/** @type {any} */ ({ update: (names) => updated.push(...names) }));
  for (const name of ["roc", "scores"]) {
    shown.drawings.set(name, /** @type {any} */ ({ update: () => drawn.push(name) }));
  }
  shown.set({ "mark roc line": 2, about: "this" });
  assert.deepEqual([updated, drawn, logged.mock.callCount()], [["mark roc line", "about"], ["roc"], 1]);
  shown.set({ still: ["roc point"] });
  assert.deepEqual(drawn, ["roc", "roc", "scores"]);
});
