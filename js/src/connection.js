// The connection to the kernel: its delay, the message under way, and the states sent ahead.
// Only one message is under way at a time; of those that wait, the newest of each control is sent.

import { post } from "./widget.js";

/** @import { Ahead } from "./ahead.js" */

const FAR = 60; // milliseconds to the kernel and back from which on it is asked to send ahead

const randomName = () => Math.random().toString(36).slice(2);

/**
 * Measures the round trip to the kernel, and holds the states that a distant kernel has sent ahead. One
 * for all views of a rail. If the kernel is near, it sends a single short message.
 */
export class Connection {
  constructor() {
    /** @type {number[]} */
    this.trips = [];
    this.name = randomName();
    this.requests = 0;
    /** @type {Ahead | null} */
    this.ahead = null;
    /** @type {Promise<void> | null} */
    this.loading = null;
    this.inHand = this.asked = "";
    /** @type {Sender | null} */
    this.sender = null;
    /** Called once the kernel has answered, and nothing more is asked of it. */
    this.onRest = () => {};
  }

  get isFar() { return this.trips.length > 0 && Math.min(...this.trips) > FAR; }

  nextRequest() {
    this.requests += 1;
    return `${this.name}${this.requests}`;
  }

  // The user has reached for a control or a handle.
  reach(name, sender) {
    this.inHand = name;
    if (this.trips.length === 0) sender.send("ping", { ping: true });
    else this.ask(sender);
  }

  answered(ms, sender) {
    this.trips = [...this.trips.slice(-4), ms];
    this.ask(sender);
  }

  ask(sender) {
    if (!this.isFar || this.inHand === this.asked) return;
    this.asked = this.inHand;
    sender.send("ahead", { ahead: this.inHand, code: !this.loading });
  }

  // Number an action of the user, and show its recorded state if there is one.
  numbered(message) {
    if (!this.ahead || "ahead" in message || "ping" in message) return message;
    const request = { ...message, request: this.nextRequest() };
    if (this.ahead.hand(request)) this.asked = ""; // nothing is left of what was asked for
    return request;
  }

  load(code, shown) {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.loading = import(url).then((module) => {
      URL.revokeObjectURL(url);
      this.ahead = new module.Ahead(shown);
    });
  }

  take(name, packed) {
    if (!this.loading) return;
    const mark = () => { if (this.sender) this.sender.el.dataset.ahead = name; };
    this.loading.then(() => this.ahead?.take(packed)).then(mark).catch(console.error);
  }
}

/** Sends the messages of a view: after each answer, the newest one of a key. */
export class Sender {
  /**
   * @param {any} model
   * @param {Connection} connection
   * @param {HTMLElement} el
   */
  constructor(model, connection, el) {
    this.model = model;
    this.el = el;
    this.connection = connection;
    connection.sender = this;
    this.waiting = new Map();
    this.busy = false;
    this.underWay = "";
    this.serial = 0;
    this.sent = 0;
    this.onAnswer = (/** @type {string} */ _key) => {};
    this.onMessage = (message) => {
      if (message.ack !== this.id + this.serial) return;
      const answered = this.underWay; // `next` below puts another message under way
      // this may ask for states: what it asks waits its turn, since the sender is still busy
      connection.answered(performance.now() - this.sent - (message.took || 0), this);
      this.busy = false;
      this.next();
      this.onAnswer(answered);
      if (!this.busy && answered !== "ping" && answered !== "ahead") connection.onRest();
    };
    this.id = randomName();
    // Jupyter's server holds back a small message until the previous one is acknowledged, and browsers
    // delay acknowledgements by 40 ms or more unless they have something to send. So a message is sent as
    // soon as the kernel reports that it is busy, and the picture is not held back.
    const status = (message) => {
      if (message.content.execution_state === "busy") model.send({ ping: true });
    };
    // hosts that are not Jupyter's take something else in their place
    this.callbacks = model.widget_manager?.loadClass ? { iopub: { status } } : undefined;
    model.on("msg:custom", this.onMessage);
  }

  send(key, message) {
    this.waiting.delete(key);
    this.waiting.set(key, this.connection.numbered(message));
    if (!this.busy) this.next();
  }

  // Whether the last action is not answered yet: other messages are about earlier actions.
  isAsked(key) { return this.waiting.has(key) || (this.busy && this.underWay === key); }

  next() {
    const first = this.waiting.entries().next();
    if (first.done) return;
    const [key, message] = first.value;
    this.waiting.delete(key);
    this.underWay = key;
    this.busy = true;
    this.serial += 1;
    this.sent = performance.now();
    if (post(this.model, { ...message, serial: this.id + this.serial }, this.callbacks)) return;
    this.busy = false;
    this.waiting.clear(); // what was not sent is not sent later
  }

  close() {
    this.model.off("msg:custom", this.onMessage);
    if (this.connection.sender === this) this.connection.sender = null;
  }
}
