import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, Sender } from "../src/connection.js";

class Model {
  constructor() { this.sent = []; }
  on(_name, act) { this.act = act; }
  off() { this.act = null; }
  send(message) { this.sent.push(message); }
  acknowledge() { this.act({ ack: this.sent.at(-1).serial }); }
}

const opened = () => {
  const connection = new Connection(), model = new Model();
  return { connection, model, sender: new Sender(model, connection, /** @type {any} */ ({ dataset: {} })) };
};
const contents = (model) => model.sent.map(({ serial: _, ...content }) => content);

test("one message is under way at a time, and only the newest of a control waits", () => {
  const { model, sender } = opened();
  for (const position of [1, 2, 3]) sender.send("size", { control: "size", position });
  assert.deepEqual(contents(model), [{ control: "size", position: 1 }]);
  assert.ok(sender.isAsked("size"));
  model.acknowledge();
  assert.deepEqual(contents(model).at(-1), { control: "size", position: 3 });
  model.acknowledge();
  assert.ok(!sender.isAsked("size"));
});

test("the answer to another view's message is none", () => {
  const { model, sender } = opened();
  sender.send("size", {});
  model.act({ ack: "another" });
  assert.ok(sender.busy);
});

test("who asked gets the answer", () => {
  const { model, sender } = opened();
  const answered = [];
  sender.onAnswer = (name) => answered.push(name);
  sender.send("size", {});
  sender.send("seed", {});
  model.acknowledge();
  assert.deepEqual(answered, ["size"]);
});

test("a near kernel is asked once how far it is, and never to send ahead", () => {
  const { connection, model, sender } = opened();
  connection.reach("threshold", sender);
  assert.deepEqual(contents(model), [{ ping: true }]);
  model.acknowledge();
  connection.reach("seed", sender);
  assert.equal(model.sent.length, 1);
});

test("a far kernel is asked to send ahead what is in hand, with the code the first time", () => {
  const { connection, model, sender } = opened();
  connection.answered(200, sender);
  connection.reach("threshold", sender);
  connection.reach("threshold", sender);
  assert.deepEqual(contents(model), [{ ahead: "threshold", code: true }]);
});

test("the question that follows an answer waits its turn", () => {
  const { connection, model, sender } = opened();
  connection.reach("threshold", sender); // measures how far the kernel is
  sender.send("size", { control: "size", position: 1 });
  sender.sent -= 200; // the answer took as long
  model.acknowledge();
  // the measured kernel is far, so it is asked to send ahead, but after what the user did
  assert.deepEqual(contents(model), [{ ping: true }, { control: "size", position: 1 }]);
  model.acknowledge();
  assert.deepEqual(contents(model).at(-1), { ahead: "threshold", code: true });
  assert.equal(contents(model).length, 3);
});

test("one quick answer makes a kernel a near one", () => {
  const connection = new Connection(), sender = /** @type {any} */ ({ send() {} });
  connection.answered(200, sender);
  assert.ok(connection.isFar);
  connection.answered(20, sender);
  assert.ok(!connection.isFar);
});

test("what a hand does is numbered once something was sent ahead", () => {
  const connection = new Connection();
  assert.deepEqual(connection.numbered({ control: "size" }), { control: "size" });
  connection.ahead = /** @type {any} */ ({ hand: () => true });
  connection.asked = "threshold";
  assert.equal(connection.numbered({ control: "size" }).request, `${connection.name}1`);
  assert.equal(connection.asked, "");
  assert.deepEqual(connection.numbered({ ping: true }), { ping: true });
});
