// The way to the kernel: how far away it is, what is under way, and what it sent ahead.
// One message is under way at a time: a drag never queues up, the newest position goes next.

/** @import { Ahead } from "./ahead.js" */

const FAR = 60; // milliseconds to the kernel and back from which on it is asked to send ahead

const randomName = () => Math.random().toString(36).slice(2);

/**
 * How far away the kernel is, and what it sent ahead to a page for which that is too far. One for
 * all views of a rail. Where the kernel is near it sends one short message, once.
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
  }

  get isFar() { return this.trips.length > 0 && Math.min(...this.trips) > FAR; }

  nextRequest() {
    this.requests += 1;
    return `${this.name}${this.requests}`;
  }

  // A control or a handle is in hand.
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

  // Number what a hand does, and show it if it is recorded.
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
    const say = () => { if (this.sender) this.sender.el.dataset.ahead = name; };
    this.loading.then(() => this.ahead?.take(packed)).then(say).catch(console.error);
  }
}

/** Sends what a view of the rail says, the newest message of each key after the answer to the last. */
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
      this.busy = false;
      const answered = this.underWay; // `next` below may put another message under way
      connection.answered(performance.now() - this.sent - (message.took || 0), this);
      this.next();
      this.onAnswer(answered);
    };
    this.id = randomName();
    // Jupyter's server holds a small message back until the page has acknowledged the one before, which
    // a browser puts off for 40 ms and more unless it has something to send. The first that comes says
    // that the kernel is busy with this; so something is sent then, and the picture is not held back.
    const status = (message) => {
      if (message.content.execution_state === "busy") model.send({ ping: true });
    };
    this.callbacks = { iopub: { status } };
    model.on("msg:custom", this.onMessage);
  }

  send(key, message) {
    this.waiting.delete(key);
    this.waiting.set(key, this.connection.numbered(message));
    if (!this.busy) this.next();
  }

  // What a hand did last is not answered yet: what comes meanwhile is about what it did before.
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
    this.model.send({ ...message, serial: this.id + this.serial }, this.callbacks);
  }

  close() {
    this.model.off("msg:custom", this.onMessage);
    if (this.connection.sender === this) this.connection.sender = null;
  }
}
