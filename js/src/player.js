// Plays a recording, which holds the values of all parts of the stage in each recorded state: shows those
// of the state nearest to what the user asks for.

import { bytesOf, numbers } from "./dom.js";

export const unpack = async (packed) => {
  const bytes = typeof packed === "string" ? bytesOf(packed) : packed;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};

export const key = (message) =>
  JSON.stringify(Object.fromEntries(Object.keys(message).sort().map((name) => [name, message[name]])));

// Index of the recorded value that a part has in a state.
const indexOf = (entry, at) => {
  if (typeof entry === "number") return entry;
  const [axes, shape, places] = entry;
  return places[axes.reduce((sum, axis, k) => sum * shape[k] + at[axis], 0)];
};

// The first point of a mark, or null if it has none.
const pointOf = ({ x, y }) => {
  const point = [numbers(x)[0], numbers(y)[0]];
  return point.includes(undefined) ? null : point;
};

export class Player {
  /**
   * @param {any} data
   * @param {{ values: Record<string, any>, set: (changes: Record<string, any>) => void }} stage see `Shown`
   * @param {() => void} explain says that something was not recorded
   */
  constructor(data, stage, explain = () => {}) {
    this.data = data;
    this.stage = stage;
    this.explain = explain;
    this.shown = data.columns.map(() => -1);
    this.dragged = ""; // the part that the user drags, which does not follow
    this.scene = 0;
    this.at = [...data.scenes[0].start];
    this.drawer = null;
    this.gliding = 0;
    /** @type {{ turn: number, words: string } | null} the glide that is shown, and the words that wait for its end */
    this.glide = null;
    this.handles = new Map(); // what was found of each, by its scene and name
    this.entered = -1; // the scene whose handles are known to the stage
    this.onShown = () => {}; // of each state that is shown
    /** @type {number[][]} states before the last changes, and after those that were undone */
    this.past = [];
    /** @type {number[][]} */
    this.future = [];
    this.gesture = ""; // what the user is doing; all of it is undone at once
  }

  get now() { return this.data.scenes[this.scene]; }

  /** Show the present state. */
  show() {
    const changes = {};
    const waiting = this.glide?.turn === this.gliding ? this.glide.words : null;
    this.data.columns.forEach(({ name, values }, column) => {
      if (name === "sentence" && waiting !== null) { this.shown[column] = -1; return; }
      const index = indexOf(this.now.columns[column], this.at);
      if (index === this.shown[column] || name === this.dragged) return;
      this.shown[column] = index;
      changes[name] = values[index];
    });
    const { values } = this.stage;
    if (waiting !== null && values.sentence !== waiting) changes.sentence = waiting;
    if (this.data.shown && this.entered !== this.scene) {
      this.entered = this.scene;
      const all = { ...values, ...changes }; // without a kernel a handle that was not recorded stays where it is
      changes.still = Object.keys(all).filter((name) => all[name]?.along && !this.handleOf(name));
    }
    if ("drawer notes" in values) changes.drawer = changes[`drawer ${this.drawer}`] ?? values[`drawer ${this.drawer}`] ?? null;
    if (Object.keys(changes).length) this.stage.set(changes);
    this.onShown();
  }

  // -------------------------------------------------------------- actions of the user

  /** Answer an action of the user. @param {any} content */
  hand(content) {
    const before = [...this.at], { press, ...message } = content; // what is pressed was recorded without its name
    this.follow(message);
    const gesture = message.event === "drag" || message.event === "drag_end" ? `${message.picture} ${message.mark}`
      : press || "position" in message ? `${message.control} ${press}` : "";
    if (message.event === "drag_start") this.gesture = "";
    if (message.tool === "undo" || message.tool === "redo" || String(before) === String(this.at)) return;
    if (!gesture || gesture !== this.gesture) this.past.push(before);
    this.gesture = gesture;
    this.future = [];
  }

  // Go back to the state before the last change, or forward to the one that was undone.
  step(from, to) {
    const at = from.pop();
    if (!at) return;
    to.push([...this.at]);
    this.gliding += 1;
    this.gesture = "";
    this.at = at;
    this.show();
  }

  /** @param {any} message */
  follow(message) {
    const { axes, panels } = this.now;
    const axis = axes.findIndex((one) => one.name === message.control);
    if ("focus" in message) this.focus(panels[message.focus]);
    else if ("tool" in message) this.tool(message.tool);
    else if ("picture" in message && message.event !== "click") this.drag(message);
    else if (axis >= 0 && !(key(message) in axes[axis].moves)) this.go(axis, this.placeOf(axes[axis], message));
    else if (!("ping" in message)) this.press(key(message));
  }

  go(axis, place) {
    const { axes, views } = this.now;
    const size = [...axes.map((one) => one.size), views.length][axis];
    if (axis < 0 || !(place >= 0 && place < size)) { this.explain(); return; }
    this.gliding += 1;
    this.at[axis] = place;
    this.show();
  }

  focus(name) {
    const { axes, views } = this.now;
    // with a single view, all pictures are large
    if (views.length < 2 || !views.includes(name)) return;
    this.at[axes.length] = views.indexOf(name); // a glide goes on
    this.show();
  }

  tool(name) {
    if (name === "undo") { this.step(this.past, this.future); return; }
    if (name === "redo") { this.step(this.future, this.past); return; }
    if (name === "reset" || name === "start") {
      this.gliding += 1;
      this.at = [...this.now.start];
    } else this.drawer = this.drawer === name ? null : name;
    this.show();
  }

  // Go to the state that a button or a click leads to; it may move several controls.
  press(message) {
    const { axes } = this.now;
    const to = axes.map((one, i) => (message in one.moves ? one.moves[message][this.at[i]] : this.at[i]));
    if (to.includes(-1) || !axes.some((one) => message in one.moves)) { this.explain(); return; }
    this.gliding += 1;
    to.forEach((place, i) => { this.at[i] = place; });
    this.show();
  }

  // Index of the value at a slider's position, or nearest to a typed number; -1 for other texts.
  placeOf(axis, content) {
    if ("position" in content) {
      return axis.positions ? nearest(axis.positions, content.position) : content.position;
    }
    const text = String(content.typed).replace("−", "-").trim();
    const value = parseFloat(text) / (text.endsWith("%") ? 100 : 1);
    return axis.values && Number.isFinite(value) ? nearest(axis.values, value) : -1;
  }

  // A handle that moves along an axis of the scene: its column, its place at each value, null where it is away,
  // and the axes that a drag moves: those of its own control or, if that is not recorded, all on which it depends.
  handleOf(name) {
    const what = `${this.scene} ${name}`;
    if (!this.handles.has(what)) this.handles.set(what, this.findHandle(name));
    return this.handles.get(what);
  }

  findHandle(name) {
    const { axes, columns, drags } = this.now;
    const column = this.data.columns.findIndex((one) => one.name === name), entry = columns[column];
    if (!Array.isArray(entry) || Math.min(...entry[0]) >= axes.length) return null;
    if (drags?.[name]?.length === 0) return null; // its own input is not recorded
    const free = entry[0].filter((axis) => axis < axes.length), own = drags?.[name];
    const { values } = this.data.columns[column], [{ kind, along }] = values;
    if (kind !== "Handle") return null;
    const places = values.map(pointOf), there = [...new Set(entry[2])].map((k) => places[k]).filter(Boolean);
    const ways = ["x", "y"].map((way) => along.includes(way));
    const moves = ways.some((way, i) => way && there.some((place) => place[i] !== there[0][i]));
    const owned = free.filter((axis) => own?.includes(axis));
    return moves ? { column, places, along: ways, free: owned.length ? owned : free } : null;
  }

  drag(message) {
    const handle = this.handleOf(`mark ${message.picture} ${message.mark}`);
    if (!handle) { this.explain(); return; }
    if (message.event === "drag_start") return;
    this.gliding += 1;
    const { axes } = this.stage.values[`figure ${message.picture}`];
    this.at = this.nearest(handle, axes, [message.x, message.y]);
    this.show();
  }

  // The recorded state whose handle is nearest to a point; of several, the one with the least change.
  nearest({ column, places, along, free }, shown, point) {
    const range = shown.map(({ limits: [low, high] }) => high - low || 1);
    const { axes, columns } = this.now, entry = columns[column];
    const at = [...this.at];
    let best = at, least = Infinity;
    const visit = (k) => {
      if (k < free.length) {
        for (at[free[k]] = 0; at[free[k]] < axes[free[k]].size; at[free[k]]++) visit(k + 1);
        return;
      }
      const place = places[indexOf(entry, at)];
      if (!place) return; // it is not shown there
      let far = 0;
      place.forEach((here, i) => { if (along[i]) far += ((here - point[i]) / range[i]) ** 2; });
      for (const axis of free) far += 1e-12 * Math.abs(at[axis] - this.at[axis]);
      if (far < least) { least = far; best = [...at]; }
    };
    visit(0);
    return [...best];
  }

  // Enter a scene; if it glides, through the states in between, at whose end its words come.
  async enter(number, still) {
    const scene = this.data.scenes[number];
    if (!scene) return;
    this.scene = number;
    this.at = [...scene.start];
    this.past = [];
    this.future = [];
    const turn = ++this.gliding;
    const { glide } = scene;
    if (!glide || still) { this.show(); return; }
    const { axis, frames, seconds, words } = glide, begun = performance.now();
    this.glide = { turn, words };
    while (this.gliding === turn) {
      const share = (performance.now() - begun) / (1000 * seconds), place = Math.floor(share * frames.length);
      if (place >= frames.length - 1) this.glide = null;
      this.at[axis] = frames[Math.min(place, frames.length - 1)];
      this.show();
      if (!this.glide) return;
      await new Promise(requestAnimationFrame);
    }
  }
}

export const nearest = (values, value) => {
  let best = 0;
  values.forEach((one, i) => { if (Math.abs(one - value) < Math.abs(values[best] - value)) best = i; });
  return best;
};
