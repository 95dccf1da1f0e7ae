// What draws is the host's manager, or our own where the host cannot; nothing without a kernel.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { findManager, isDead, Manager } from "../src/manager.js";

const VERSIONS = { bqplot: "^0.6.1", bqscales: "^0.3.7" };
const managers = globalThis[Symbol.for("rocviz.managers")];

const modelOf = ({ manager = /** @type {any} */ (null), live = true } = {}) => {
  const listeners = new Map(), sent = [];
  return {
    sent,
    tell: (event, ...what) => listeners.get(event)?.(...what),
    widget_manager: { get_model: async () => ({ comm_live: live }), ...manager },
    get: (name) => (name === "_modules" ? VERSIONS : "id"),
    on: (event, listener) => listeners.set(event, listener),
    send: (content) => sent.push(content),
  };
};
const without = { loadClass: async () => { throw new Error("Module bqplot is not registered"); } };

afterEach(() => managers.clear());

test("the host's manager draws where it loads bqplot", async () => {
  const loaded = [];
  const model = modelOf({ manager: { loadClass: async (...what) => { loaded.push(what); } } });
  assert.equal(await findManager(model), model.widget_manager);
  assert.deepEqual(loaded, [["LinearScaleModel", "bqscales", "^0.3.7"], ["FigureModel", "bqplot", "^0.6.1"]]);
  assert.deepEqual(model.sent, []);
});

test("the page's own manager draws where the host cannot, and where it has no manager", async () => {
  const own = new Manager(() => ({}));
  managers.set(JSON.stringify(VERSIONS), Promise.resolve(own));
  assert.equal(await findManager(modelOf({ manager: without })), own);
  assert.equal(await findManager(modelOf()), own);
});

test("the kernel is asked once for all explorers, and again if the one that asked was closed", async () => {
  const first = modelOf({ manager: without }), second = modelOf({ manager: without });
  findManager(first).catch(() => {});
  await new Promise((done) => setTimeout(done));
  findManager(second).catch(() => {});
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([first.sent, second.sent], [[{ scripts: true }], []]);
  first.tell("destroy");
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(second.sent, [{ scripts: true }]);
});

test("a host that cannot draw is left to the still picture where there is no kernel", async () => {
  const model = modelOf({ manager: without, live: false });
  assert.equal(await isDead(model), true);
  await assert.rejects(findManager(model), /not registered/);
  assert.deepEqual(model.sent, []);
  assert.equal(await isDead(modelOf()), false);
});

test("a class is found in its module", async () => {
  const manager = new Manager(async (module) => ({ name: module }));
  assert.equal(await manager.loadClass("name", "bqplot"), "bqplot");
});
