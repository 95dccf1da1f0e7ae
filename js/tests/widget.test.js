// A dark page is recognised by what it says of itself, by its ground, or by what the browser prefers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countMoves, isOnDark, post, troubleOf } from "../src/widget.js";

const dark = ({ body = {}, html = {}, ground = "rgba(0, 0, 0, 0)", scheme = "normal", prefers = false }) => {
  Object.assign(globalThis, { matchMedia: () => ({ matches: prefers }) });
  const getComputedStyle = ({ painted = "rgba(0, 0, 0, 0)" }) => ({ backgroundColor: painted, colorScheme: scheme });
  const ownerDocument = { defaultView: { getComputedStyle }, body: { dataset: body }, documentElement: { dataset: html } };
  const node = (more) => ({ nodeType: 1, ownerDocument, ...more });
  Object.assign(ownerDocument.documentElement, { ownerDocument });
  const root = { nodeType: 11, host: node({ painted: ground }) }; // of a shadow tree
  return isOnDark(node({ parentNode: node({ parentNode: root }) }));
};

test("pages say it in their own ways", () => {
  assert.equal(dark({ body: { jpThemeLight: "false" } }), true); // JupyterLab, Voila
  assert.equal(dark({ body: { jpThemeLight: "true" }, ground: "rgb(17, 20, 24)" }), false);
  assert.equal(dark({ body: { vscodeThemeKind: "vscode-dark" } }), true);
  assert.equal(dark({ body: { vscodeThemeKind: "vscode-high-contrast-light" } }), false);
  assert.equal(dark({ body: { theme: "dark" } }), true); // marimo
  assert.equal(dark({ html: { theme: "dark" } }), true); // pydata-sphinx-theme
  assert.equal(dark({ html: { theme: "light", mode: "auto" }, prefers: true }), false);
  assert.equal(dark({ body: { theme: "auto" }, ground: "rgb(19, 20, 22)" }), true); // furo
  assert.equal(dark({ body: { theme: "auto" }, ground: "rgb(255, 255, 255)", prefers: true }), false);
  assert.equal(dark({ html: { bsTheme: "dark" } }), true); // Shiny
});

test("else it is seen by what is painted", () => {
  assert.equal(dark({ ground: "rgb(24, 24, 24)", prefers: false }), true);
  assert.equal(dark({ ground: "rgb(255, 255, 255)", prefers: true }), false);
});

test("else by what the browser prefers, if the page follows it", () => {
  assert.equal(dark({ scheme: "light dark", prefers: true }), true);
  assert.equal(dark({ scheme: "light dark", prefers: false }), false);
  assert.equal(dark({ scheme: "normal", prefers: true }), false);
});

test("a kernel that has stopped stays so for its widgets, and a lost connection comes back", () => {
  const kernel = { status: "idle", connectionStatus: "connected", isDisposed: false }, model = { comm_live: true };
  assert.equal(troubleOf(model, kernel), "");
  kernel.connectionStatus = "connecting";
  assert.equal(troubleOf(model, kernel), "lost");
  kernel.connectionStatus = "connected";
  assert.equal(troubleOf(model, kernel), "");
  kernel.status = "autorestarting"; // it had died
  assert.equal(troubleOf(model, kernel), "stopped");
  kernel.status = "idle";
  assert.equal(troubleOf(model, kernel), "stopped"); // the new one does not know the widget
  assert.equal(troubleOf({ comm_live: true }, kernel), "");
  assert.equal(troubleOf({ comm_live: true }, { ...kernel, isDisposed: true }), "stopped");
  assert.equal(troubleOf({ comm_live: false }, undefined), "stopped"); // a host that does not show its kernel
  assert.equal(troubleOf({ comm_live: true }, undefined), "");
});

test("a message that cannot be sent is no error of the page", (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  assert.equal(post({ send: () => { throw new Error("Cannot send"); } }, {}), false);
  assert.equal(warn.mock.callCount(), 1);
  assert.equal(post({ send: () => {} }, {}), true);
});

test("a host that runs code again when its page sets a trait is told once a hand rests", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const state = { _moves: 0 };
  let saved = 0;
  const model = { get: (name) => state[name], set: (name, value) => { state[name] = value; }, save_changes: () => { saved += 1; } };
  const count = countMoves(model);
  for (let step = 0; step < 5; step += 1) { count(); context.mock.timers.tick(100); }
  assert.deepEqual([state._moves, saved], [0, 0]);
  context.mock.timers.tick(200);
  assert.deepEqual([state._moves, saved], [1, 1]);
  countMoves({ ...model, widget_manager: { loadClass: () => {} } })(); // such as Jupyter's
  context.mock.timers.tick(500);
  assert.equal(saved, 1);
});
