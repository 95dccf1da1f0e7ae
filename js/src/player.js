// Plays a recording: knows which values every changing trait has in every recorded state, and
// gives the models those of the state nearest to what a hand asks for.

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// {"$": base64} stands for bytes.
export const revive = (/** @type {any} */ value) => {
  if (Array.isArray(value)) return value.map(revive);
  if (value === null || typeof value !== "object") return value;
  if (typeof value.$ === "string") return new DataView(bytesOf(value.$).buffer);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revive(one)]));
};

export const unpack = async (packed) => {
  const bytes = typeof packed === "string" ? bytesOf(packed) : packed;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};

// What a model in a page without a kernel talks to instead of it.
export class Listener {
  constructor(listen = (/** @type {any} */ _content) => {}) { this.listen = listen; }
  on_msg() {}
  on_close() {}
  close() {}
  send(data) {
    if (data.method === "custom") this.listen(data.content);
    return "";
  }
}

export const key = (message) =>
  JSON.stringify(Object.fromEntries(Object.keys(message).sort().map((name) => [name, message[name]])));

export class Player {
  constructor(data, getModel, manager, explain = () => {}) {
    this.data = data;
    this.explain = explain;
    this.getModel = getModel;
    this.manager = manager;
    this.ready = new Map(); // column and value: as the model takes it
    this.shown = data.columns.map(() => 0);
    this.held = new Set(); // models that are not to follow
    this.scene = 0;
    this.at = [...data.scenes[0].start];
    this.drawer = null;
    this.busy = null;
    this.wanted = false;
    this.gliding = 0;
    this.places = new Map(data.columns.map((column, i) => [`${column.model} ${column.name}`, i]));
  }

  // Take the place of the kernel for every model that a hand can move.
  async listen() {
    const { rail, headings, tools, story } = this.data;
    const listen = async (id, act) => {
      const model = await this.getModel(id);
      model.comm = new Listener((message) => act(message, model));
    };
    await listen(rail, (message, model) => this.fromRail(message, model));
    for (const [id, name] of Object.entries(headings)) await listen(id, () => this.focus(name));
    for (const [id, name] of Object.entries(tools)) await listen(id, () => this.tool(name));
    if (story) await listen(story.bar, (message) => this.fromStory(message));
    const start = this.data.scenes[0].start;
    this.shown = this.data.columns.map((_, column) => this.index(this.data.scenes[0], column, start));
  }

  index(scene, column, at) {
    const entry = scene.columns[column];
    if (typeof entry === "number") return entry;
    const [axes, shape, places] = entry;
    return places[axes.reduce((sum, axis, k) => sum * shape[k] + at[axis], 0)];
  }

  value(column, index) {
    return this.data.columns[column].values[index];
  }

  // -------------------------------------------------------------- showing

  // One state at a time: while one is shown, the newest request waits, and those before it are dropped.
  show() {
    this.wanted = true;
    if (!this.busy) {
      this.busy = (async () => {
        while (this.wanted) {
          this.wanted = false;
          // a state that cannot be shown does not keep the next from being shown
          await this.apply().catch(console.error);
        }
        this.busy = null;
      })();
    }
    return this.busy;
  }

  async apply() {
    const scene = this.data.scenes[this.scene];
    const changes = new Map();
    this.data.columns.forEach(({ model, name }, column) => {
      if (model === "drawer" || model.startsWith("at ")) return; // not of a model
      const index = this.index(scene, column, this.at);
      if (index === this.shown[column]) return;
      if (this.held.has(model) || model === this.data.story?.bar) return;
      if (!changes.has(model)) changes.set(model, []);
      changes.get(model).push([name, column, index]);
    });
    for (const [id, parts] of changes) {
      const model = await this.getModel(id);
      const values = {};
      for (const [name, column, index] of parts) {
        values[name] = await this.prepared(model, name, column, index);
        this.shown[column] = index;
      }
      model.set_state(values); // as if the kernel had said so
    }
    if (this.data.drawer) await this.fillDrawer();
  }

  async prepared(model, name, column, index) {
    const place = `${column} ${index}`;
    if (!this.ready.has(place)) {
      const state = { [name]: revive(this.value(column, index)) };
      this.ready.set(place, (await model.constructor._deserialize_state(state, this.manager))[name]);
    }
    return this.ready.get(place);
  }

  async fillDrawer() {
    const [html, layout] = await Promise.all(this.data.drawer.map((id) => this.getModel(id)));
    if (this.drawer) {
      const column = this.places.get(`drawer ${this.drawer}`);
      const index = this.index(this.data.scenes[this.scene], column, this.at);
      html.set("value", this.value(column, index));
    }
    layout.set("display", this.drawer ? null : "none");
  }

  // -------------------------------------------------------------- what a hand does

  go(axis, place) {
    const size = this.sizes()[axis];
    if (axis < 0 || !(place >= 0 && place < size)) { this.explain(); return; }
    this.gliding += 1;
    this.at[axis] = place;
    this.show();
  }

  sizes() {
    const scene = this.data.scenes[this.scene];
    return [...scene.axes.map((axis) => axis.size), scene.views.length];
  }

  focus(name) {
    const { axes, views } = this.data.scenes[this.scene];
    // where there is one view only, all pictures are large
    if (views.length > 1 && views.includes(name)) this.go(axes.length, views.indexOf(name));
  }

  tool(name) {
    if (name === "reset") {
      this.gliding += 1;
      this.at = [...this.data.scenes[this.scene].start];
    } else this.drawer = this.drawer === name ? null : name;
    this.show();
  }

  fromRail(message, model) {
    const { axes, panels } = this.data.scenes[this.scene];
    const { serial, ...content } = message;
    const axis = axes.findIndex((one) => one.name === content.control);
    if ("focus" in content) this.focus(panels[content.focus]);
    else if ("picture" in content && content.event !== "click") this.drag(content);
    else if (axis >= 0 && !(key(content) in axes[axis].moves)) this.go(axis, this.placeOf(axes[axis], content));
    else if (!("ping" in content)) this.press(key(content));
    if (serial) Promise.resolve(this.busy).then(() => model.trigger("msg:custom", { ack: serial }));
    // what was asked for may not be recorded: the rail says again what holds
    model.trigger("change:values");
  }

  // Go where a button or a click leads, by its message; it may move several controls.
  press(message) {
    const { axes } = this.data.scenes[this.scene];
    const to = axes.map((one, i) => (message in one.moves ? one.moves[message][this.at[i]] : this.at[i]));
    if (to.includes(-1) || !axes.some((one) => message in one.moves)) { this.explain(); return; }
    this.gliding += 1;
    to.forEach((place, i) => { this.at[i] = place; });
    this.show();
  }

  // The place of a position of a slider, or of what was typed; -1 of anything else.
  placeOf(axis, content) {
    if ("position" in content) {
      return axis.positions ? nearest(axis.positions, content.position) : content.position;
    }
    const text = String(content.typed).replace("−", "-").trim();
    const value = parseFloat(text) / (text.endsWith("%") ? 100 : 1);
    return axis.values && Number.isFinite(value) ? nearest(axis.values, value) : -1;
  }

  handleOf({ picture, mark }) {
    return this.data.handles.find((one) => one.picture === picture && one.mark === mark);
  }

  async drag(message) {
    const handle = this.handleOf(message);
    if (!handle) { this.explain(); return; }
    if (message.event === "drag_start") return;
    this.gliding += 1;
    this.at = await this.nearest(handle, [message.x, message.y]);
    await this.show();
  }

  // The recorded state whose handle is nearest to a point; of several, that of the least change.
  async nearest(handle, point) {
    const scene = this.data.scenes[this.scene];
    const shown = (await this.getModel(handle.figure)).get("axes");
    const range = shown.map(({ limits: [low, high] }) => high - low || 1);
    const columns = handle.columns.map((column) => (column < 0 ? null : column));
    const axes = new Set();
    columns.forEach((column, i) => {
      const entry = column === null || !handle.along[i] ? 0 : scene.columns[column];
      if (typeof entry !== "number") entry[0].forEach((axis) => axes.add(axis));
    });
    const free = [...axes].filter((axis) => axis < scene.axes.length);
    const at = [...this.at];
    let best = null, least = Infinity;
    const look = (k) => {
      if (k < free.length) {
        for (let place = 0; place < scene.axes[free[k]].size; place++) {
          at[free[k]] = place;
          look(k + 1);
        }
        return;
      }
      let far = 0;
      columns.forEach((column, i) => {
        if (!handle.along[i]) return;
        const here = column === null ? handle.fixed[i] : this.value(column, this.index(scene, column, at));
        far += ((here - point[i]) / range[i]) ** 2;
      });
      for (const axis of free) far += 1e-12 * Math.abs(at[axis] - this.at[axis]);
      if (far < least) { least = far; best = [...at]; }
    };
    look(0);
    return best || [...this.at];
  }

  // -------------------------------------------------------------- stories

  // Enter a scene; where it glides, through the states on the way. What the bar says is no column.
  async enter(number, still, says = { at: number, asking: false }) {
    const scene = this.data.scenes[number];
    if (!scene) return;
    this.scene = number;
    this.at = [...scene.start];
    const mine = ++this.gliding;
    (await this.getModel(this.data.story.bar)).set(says);
    const { glide } = scene;
    const calm = still || says.asking || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!glide || calm) { await this.show(); return; }
    const [axis, from] = glide, to = scene.start[axis];
    const begun = performance.now(), long = 1600;
    while (this.gliding === mine) {
      const share = Math.min((performance.now() - begun) / long, 1);
      const eased = share * share * (3 - 2 * share);
      this.at[axis] = Math.round(from + (to - from) * eased);
      await this.show();
      if (share === 1) return;
      await new Promise(requestAnimationFrame);
    }
  }

  async fromStory(message) {
    if ("focus" in message) { this.focus(this.data.scenes[this.scene].panels[message.focus]); return; }
    const { asks } = this.data.story, to = "go" in message ? message.go : message.show;
    // the picture is that of the step before, as that step shows it, until the question is answered
    if ("go" in message && asks[to]) await this.enter(Math.max(to - 1, 0), true, { at: to, asking: true });
    else await this.enter(to, message.still);
  }
}

export const nearest = (values, value) => {
  let best = 0;
  values.forEach((one, i) => { if (Math.abs(one - value) < Math.abs(values[best] - value)) best = i; });
  return best;
};
