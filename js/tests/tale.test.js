// A recorded story: questions over the picture of the step before, and explorers that take turns.

import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo, stateOf } from "../src/link.js";
import { Player } from "../src/player.js";
import { Tale } from "../src/tale.js";

const scene = (values, start) => ({
  axes: [{ name: "threshold", size: values.length, values, moves: {} }, { name: "answers", size: 3, values: null, moves: {} }],
  panels: ["roc", "scores"], views: ["roc", "scores"], start: [start, 0, 0], columns: [],
});
const playerOf = (...scenes) =>
  new Player({ columns: [], scenes }, { values: {}, set: () => {} });

const makeTale = () => {
  const players = new Map([["a", playerOf(scene([0.1, 0.5, 0.9], 1), scene([0.1, 0.5], 0))], ["b", playerOf(scene([1, 2], 0))]]);
  const shown = [];
  /** @type {[string, number][]} */
  const scenes = [["a", 0], ["a", 1], ["b", 0]];
  const tale = new Tale({ asks: [true, true, false], scenes }, players, (values, name) => shown.push({ ...values, name }));
  return { tale, players, shown };
};

test("a story may begin with a question, and a wish to go asks", () => {
  const { tale, players, shown } = makeTale();
  tale.go(0);
  tale.hand({ show: 0 });
  tale.hand({ go: 1 });
  assert.equal(players.get("a")?.scene, 0);
  tale.hand({ show: 1 });
  assert.equal(players.get("a")?.scene, 1);
  const name = "a";
  assert.deepEqual(shown, [
    { at: 0, asking: true, name }, { at: 0, asking: false, name }, { at: 1, asking: true, name }, { at: 1, asking: false, name },
  ]);
});

test("a question is asked over the step's own picture, whatever was moved, and from anywhere", () => {
  const { tale, players } = makeTale();
  tale.show(0);
  players.get("a")?.go(0, 2);
  tale.go(1);
  assert.deepEqual(players.get("a")?.at, [1, 0, 0]);
  tale.show(2);
  tale.go(1);
  assert.equal(players.get("a")?.scene, 0);
  assert.equal(tale.player, players.get("a"));
});

test("explorers take turns", () => {
  const { tale, players, shown } = makeTale();
  tale.show(2);
  assert.equal(shown.at(-1).name, "b");
  assert.equal(tale.player, players.get("b"));
  tale.hand({ focus: 1 });
  assert.deepEqual(players.get("b")?.at, [0, 0, 1]);
});

test("an address has what differs from how a step opens, and leads there", () => {
  const player = playerOf(scene([0.1, 0.5, 0.9], 1));
  assert.deepEqual(stateOf(player), []);
  const state = new URLSearchParams("threshold=0.85&answers=~2&large=scores&other=3");
  goTo(player, state);
  assert.deepEqual(player.at, [2, 2, 1]);
  assert.deepEqual(stateOf(player), [["threshold", "0.9"], ["answers", "~2"], ["large", "scores"]]);
});

test("an address of nonsense moves nothing", () => {
  const player = playerOf(scene([0.1, 0.5, 0.9], 1));
  goTo(player, new URLSearchParams("threshold=high&answers=~9&answers=&large=nothing"));
  goTo(player, new URLSearchParams("threshold=&answers=2"));
  assert.deepEqual(player.at, [1, 0, 0]);
});

test("words wait for the end of a glide, and come at once where the user moves something", async () => {
  const frames = [];
  globalThis.requestAnimationFrame = /** @type {any} */ ((act) => frames.push(act));
  const words = ["Near.", "Moved.", "Far."], values = { sentence: "Before." };
  const stage = { values, set: (changes) => Object.assign(values, changes) };
  const gliding = {
    ...scene([0.1, 0.5, 0.9], 2), columns: [[[0], [3], [0, 1, 2]]],
    glide: { axis: 0, frames: [0, 1, 2], seconds: 1000, words: "<div>Far.</div>" },
  };
  const player = new Player({ columns: [{ name: "sentence", values: words }], scenes: [gliding] }, stage);
  player.enter(0, false);
  assert.equal(values.sentence, "<div>Far.</div>");
  assert.deepEqual(player.at, [0, 0, 0]);
  player.focus("scores"); // another picture is large, and the glide goes on
  assert.equal(values.sentence, "<div>Far.</div>");
  player.go(0, 1);
  assert.equal(values.sentence, "Moved.");
  frames.pop()();
  await Promise.resolve();
  assert.deepEqual(player.at, [1, 0, 1]);
  gliding.glide.seconds = 0;
  player.enter(0, false);
  assert.equal(values.sentence, "Far.");
  assert.deepEqual(player.at, [2, 0, 0]);
});
