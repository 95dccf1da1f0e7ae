// A dark page is recognised by what it says of itself, by its ground, or by what the browser prefers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOnDark } from "../src/widget.js";

class Element {
  constructor(ground, parentNode = /** @type {any} */ (null)) { this.ground = ground; this.parentNode = parentNode; }
}
Object.assign(globalThis, {
  Element,
  getComputedStyle: (node) => ({ backgroundColor: node.ground ?? "rgba(0, 0, 0, 0)", colorScheme: node.scheme ?? "normal" }),
});

const dark = ({ body = {}, html = {}, ground = "rgba(0, 0, 0, 0)", scheme = "normal", prefers = false }) => {
  Object.assign(globalThis, {
    document: { body: { dataset: body }, documentElement: { dataset: html, scheme } },
    matchMedia: () => ({ matches: prefers }),
  });
  const el = new Element("rgba(0, 0, 0, 0)", new Element(ground));
  return isOnDark(/** @type {any} */ (el));
};

test("pages say it in their own ways", () => {
  assert.equal(dark({ body: { jpThemeLight: "false" } }), true); // JupyterLab, Voila
  assert.equal(dark({ body: { jpThemeLight: "true" }, ground: "rgb(17, 20, 24)" }), false);
  assert.equal(dark({ body: { vscodeThemeKind: "vscode-dark" } }), true);
  assert.equal(dark({ body: { vscodeThemeKind: "vscode-high-contrast-light" } }), false);
  assert.equal(dark({ body: { theme: "dark" } }), true); // marimo
  assert.equal(dark({ html: { theme: "dark" } }), true); // Sphinx
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
