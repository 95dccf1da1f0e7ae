// The rail of an explorer: every control of it, made of the browser's own inputs.
// Knows labels, positions and words that the kernel sends; nothing of what they mean.
// One message is under way at a time: a drag never queues up, the newest position goes next.

const make = (tag, classes = "", props = {}) => {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  for (const [name, value] of Object.entries(props)) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  return made;
};

const FAR = 60; // milliseconds to the kernel and back from which on it is asked to send ahead

// How far away the kernel is, and what it sent ahead to a page for which that is too far. One for
// all views of a rail. Where the kernel is near it sends one short message, once.
class Line {
  constructor() {
    this.trips = [];
    this.name = Math.random().toString(36).slice(2);
    this.requests = 0;
    this.ahead = null;
    this.loading = null;
    this.inHand = this.asked = "";
    this.sender = null;
  }
  get isFar() { return this.trips.length > 0 && Math.min(...this.trips) > FAR; }
  next() {
    this.requests += 1;
    return `${this.name}${this.requests}`;
  }
  // A control or a handle is in hand.
  reach(what, sender) {
    this.inHand = what;
    if (this.trips.length === 0) sender.send("ping", { ping: true });
    else this.ask(sender);
  }
  arrived(ms, sender) {
    this.trips = [...this.trips.slice(-4), ms];
    this.ask(sender);
  }
  ask(sender) {
    if (!this.isFar || this.inHand === this.asked) return;
    this.asked = this.inHand;
    sender.send("ahead", { ahead: this.inHand, code: !this.loading });
  }
  // A hand has done something: number it, and show it if it is recorded.
  hand(message) {
    if (!this.ahead || "ahead" in message || "ping" in message || "sync" in message) return message;
    const numbered = { ...message, request: this.next() };
    if (this.ahead.hand(numbered)) this.asked = ""; // nothing is left of what was asked for
    return numbered;
  }
  load(code, manager) {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const send = (message) => this.sender && this.sender.send("sync", message);
    this.loading = import(url).then(({ Ahead }) => {
      URL.revokeObjectURL(url);
      this.ahead = new Ahead(manager, () => this.next(), send);
    });
  }
  take(name, packed) {
    if (!this.loading) return;
    const shown = () => { if (this.sender) this.sender.el.dataset.ahead = name; };
    this.loading.then(() => this.ahead.take(packed)).then(shown).catch(console.error);
  }
}

class Sender {
  constructor(model, line, el) {
    this.model = model;
    this.el = el;
    this.line = line;
    line.sender = this;
    this.waiting = new Map();
    this.busy = false;
    this.underWay = "";
    this.serial = 0;
    this.onAnswer = () => {};
    this.onMessage = (message) => {
      if (message.ack !== this.id + this.serial) return;
      this.busy = false;
      const answered = this.underWay; // another message may be on its way after the next line
      line.arrived(performance.now() - this.sent - (message.took || 0), this);
      this.next();
      this.onAnswer(answered);
    };
    this.id = Math.random().toString(36).slice(2);
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
    this.waiting.set(key, this.line.hand(message));
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
    if (this.line.sender === this) this.line.sender = null;
  }
}

// Each maker returns [element, update(value)]; what a control shows comes from the kernel only.
const makers = {
  slider(control, sender) {
    const box = make("div", "rocviz-slider " + `knob-${control.thing}`);
    const label = make("span", "label", { textContent: control.label, title: control.hint });
    const typed = make("input", "value", {
      type: "text", "aria-label": `${control.label}: type a value`, spellcheck: false,
    });
    const track = make("input", "track", { type: "range", min: 0, step: 1, "aria-label": control.label });
    const problem = make("div", "problem", { role: "alert" });
    const top = make("div", "line");
    top.append(label, typed);
    box.append(top, track, problem);
    let held = false, last = null, playing = null;
    const send = () => sender.send(control.name, { set: control.name, position: Number(track.value) });
    const release = () => { held = false; if (last) update(last); };
    track.addEventListener("pointerdown", () => { held = true; });
    for (const event of ["pointerup", "pointercancel", "blur"]) track.addEventListener(event, release);
    track.addEventListener("input", send);
    typed.addEventListener("focus", () => typed.select());
    typed.addEventListener("keydown", (event) => {
      if (event.key === "Enter") typed.blur();
      if (event.key === "Escape") { typed.value = last.text; typed.blur(); }
    });
    typed.addEventListener("change", () => {
      if (typed.value !== last.text) sender.send(control.name, { set: control.name, typed: typed.value });
    });
    if (control.play) {
      const button = make("button", "chip play", { type: "button", textContent: `▶ ${control.play}` });
      const stop = () => { clearInterval(playing); playing = null; button.textContent = `▶ ${control.play}`; };
      button.addEventListener("click", () => {
        if (playing) { stop(); return; }
        if (Number(track.value) >= Number(track.max)) track.value = 0;
        button.textContent = "❚❚ stop";
        playing = setInterval(() => {
          if (!box.isConnected || Number(track.value) >= Number(track.max)) { stop(); return; }
          if (sender.busy) return;
          track.value = Number(track.value) + 1;
          send();
        }, 90);
      });
      box.append(button);
    }
    const update = (value) => {
      last = value;
      track.max = value.steps;
      if (!held && !sender.isAsked(control.name)) track.value = value.position;
      track.style.setProperty("--at", value.steps ? track.value / value.steps : 0);
      track.setAttribute("aria-valuetext", value.text);
      if (document.activeElement !== typed || typed.value === "") typed.value = value.text;
      typed.style.width = `${Math.max(value.text.length, 3) + 1}ch`;
      track.disabled = typed.disabled = value.disabled;
      problem.textContent = value.problem || "";
    };
    return [box, update];
  },
  choice(control, sender) {
    const box = make("label", "rocviz-choice");
    const select = make("select", "", { title: control.hint, "aria-label": control.label });
    const problem = make("div", "problem", { role: "alert" });
    box.append(make("span", "label", { textContent: control.label, title: control.hint }), select, problem);
    let shown = "";
    // not on "change", before which the browser lays the page out
    select.addEventListener("input", () =>
      sender.send(control.name, { set: control.name, index: select.selectedIndex }));
    return [box, (value) => {
      const wanted = JSON.stringify(value.options);
      if (wanted !== shown) {
        shown = wanted;
        select.replaceChildren(...value.options.map((text) => make("option", "", { textContent: text })));
      }
      select.selectedIndex = value.index;
      select.disabled = value.disabled;
      problem.textContent = value.problem;
    }];
  },
  switch(control, sender) {
    const box = make("label", "rocviz-switch", { title: control.hint });
    const tick = make("input", "", { type: "checkbox" });
    box.append(tick, make("span", "label", { textContent: control.label }));
    tick.addEventListener("change", () => sender.send(control.name, { set: control.name, on: tick.checked }));
    return [box, (value) => { tick.checked = value.on; tick.disabled = value.disabled; }];
  },
  entry(control, sender) {
    const box = make("div", "rocviz-entry");
    const field = make("input", "", {
      type: "text", "aria-label": control.label, title: control.hint, spellcheck: false,
    });
    const note = make("div", "note", { role: "status" });
    box.append(make("span", "label", { textContent: control.label }), field, note);
    let last = "";
    const done = () => { if (field.value !== last) sender.send(control.name, { set: control.name, typed: field.value }); };
    field.addEventListener("change", done);
    field.addEventListener("keydown", (event) => { if (event.key === "Escape") field.value = last; });
    return [box, (value) => {
      // what is refused stays to be put right, with the word that says what holds
      if (value.text !== last || !(value.problem || document.activeElement === field)) field.value = last = value.text;
      field.disabled = value.disabled;
      note.textContent = value.problem || value.note;
      note.classList.toggle("problem", Boolean(value.problem));
    }];
  },
  action(control, sender) {
    const button = make("button", "chip", { type: "button", textContent: control.label, title: control.hint });
    button.addEventListener("click", () => sender.send(control.name, { act: control.name }));
    return [button, (value) => { button.disabled = value.disabled; }];
  },
  task(control, sender) {
    const box = make("div", "rocviz-task");
    const button = make("button", "chip", { type: "button", title: control.hint });
    const bar = make("progress", "", { max: 1, "aria-label": control.label });
    box.append(button, bar);
    button.addEventListener("click", () => sender.send(control.name, { act: control.name }));
    return [box, (value) => {
      button.textContent = value.running ? "stop" : control.label;
      button.disabled = value.disabled;
      bar.hidden = !value.running;
      bar.value = value.share;
    }];
  },
  rows(control, sender) {
    const box = make("div", "rocviz-rows", { role: "group", "aria-label": control.label });
    const choose = (key, value) => sender.send(`${control.name} ${key}`, { rows: control.name, key, value });
    let lines = [];
    const heading = [];
    if (control.heading) {
      heading.push(make("div", "line heading"));
      for (const text of control.heading) heading[0].append(make("span", "", { textContent: text }));
    }
    const line = (row) => {
      const outer = make("div", "row");
      const name = make("span", "name");
      const parts = [];
      const head = make("div", "line");
      head.append(name);
      const second = make("div", "line second");
      const pressed = [];
      if (control.choices.length === 1) {
        const [value, text, spoken] = control.choices[0];
        const tick = make("input", "", { type: "checkbox" });
        tick.addEventListener("change", () => choose(row.key, tick.checked));
        head.prepend(tick);
        parts.push((now) => { tick.checked = now.value; tick.setAttribute("aria-label", `${now.full}: ${spoken}`); });
      } else if (control.choices.length) {
        const group = make("span", "segments");
        for (const [value, text, spoken] of control.choices) {
          const button = make("button", "", { type: "button", textContent: text });
          button.addEventListener("click", () => choose(row.key, value));
          group.append(button);
          pressed.push([button, value, spoken]);
        }
        head.append(group);
      }
      for (const [value, text, spoken] of control.buttons) {
        const button = make("button", "small", { type: "button", textContent: text });
        button.addEventListener("click", () => choose(row.key, value));
        (control.two ? second : head).append(button);
        parts.push((now) => {
          button.setAttribute("aria-label", `${spoken}: ${now.full}`);
          button.title = spoken;
        });
      }
      let number = null;
      if (row.number) {
        // no field of type number: where decimals have a point that drops the comma of 0,3 without a word
        number = make("input", "number", { type: "text", inputMode: "decimal", spellcheck: false });
        number.addEventListener("change", () => choose(row.key, number.value));
        number.addEventListener("keydown", (event) => {
          if (event.key === "Enter") number.blur();
          const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (!way) return;
          event.preventDefault();
          number.value = Number(number.value) + way * number.step;
          choose(row.key, number.value);
        });
        head.append(number);
      }
      const bar = make("span", "bar", { "aria-hidden": "true" });
      const range = make("i"), point = make("b"), text = make("span", "text");
      bar.append(range, point);
      second.prepend(bar);
      const note = make("div", "note");
      outer.append(head, second, note);
      return [outer, (now) => {
        name.textContent = now.label;
        name.title = now.full;
        outer.className = `row thing-${now.thing}${now.marked ? " marked" : ""}${now.muted ? " muted" : ""}`;
        for (const [button, value, spoken] of pressed) {
          button.setAttribute("aria-pressed", String(value === now.value));
          button.setAttribute("aria-label", `${now.full}: ${spoken}`);
        }
        parts.forEach((part) => part(now));
        if (number && now.number) {
          number.step = now.number[1];
          number.setAttribute("aria-label", `${now.full}: ${now.number[2]}`);
          if (document.activeElement !== number || now.isRefused) number.value = now.number[0];
        }
        bar.hidden = !now.bar;
        if (now.bar) {
          range.style.left = `${100 * now.bar[0]}%`;
          range.style.width = `${100 * (now.bar[1] - now.bar[0])}%`;
          point.style.left = `${100 * now.bar[2]}%`;
        }
        text.textContent = now.text;
        const place = now.bar || control.two ? second : head;
        if (text.parentNode !== place) {
          if (place === head) name.after(text);
          else if (now.bar) place.append(text);
          else place.prepend(text);
        }
        second.hidden = !now.bar && !control.two;
        note.textContent = now.note;
        note.hidden = !now.note;
      }, Boolean(row.number)];
    };
    let form = "", turn = -1, keys = [];
    // whose turn it is comes into sight where the list scrolls; the page stays where it is
    const bring = () => {
      if (turn < 0 || !lines[turn]) return;
      const seen = box.getBoundingClientRect(), row = lines[turn][0].getBoundingClientRect();
      if (row.top < seen.top) box.scrollTop += row.top - seen.top;
      if (row.bottom > seen.bottom) box.scrollTop += row.bottom - seen.bottom + row.height;
    };
    new ResizeObserver(bring).observe(box);
    const hint = make("div", "note");
    const problem = make("div", "problem", { role: "alert" });
    return [box, (value) => {
      problem.textContent = value.problem;
      hint.textContent = value.note;
      hint.hidden = !value.note;
      const wanted = JSON.stringify(value.rows.map((row) => [row.key, Boolean(row.number)]));
      if (wanted !== form) {
        form = wanted;
        const before = new Map(lines.map((made, i) => [`${keys[i]} ${made[2]}`, made]));
        // what was pressed keeps the focus where its row has moved to
        const parts = (element) => [...element.querySelectorAll("button, input")];
        const from = lines.findIndex(([element]) => element.contains(document.activeElement));
        const at = from < 0 ? -1 : parts(lines[from][0]).indexOf(document.activeElement);
        const place = from < 0 ? -1 : value.rows.findIndex((row) => row.key === keys[from]);
        lines = value.rows.map((row) => before.get(`${row.key} ${Boolean(row.number)}`) || line(row));
        keys = value.rows.map((row) => row.key);
        // what stays is not touched: to scroll back to where it was costs a layout of the page
        const all = [hint, ...heading, ...lines.map(([element]) => element), problem];
        for (const child of [...box.children]) if (!all.includes(child)) child.remove();
        all.forEach((child, i) => { if (box.children[i] !== child) box.insertBefore(child, box.children[i] || null); });
        if (at >= 0 && lines.length) parts((lines[place] || lines[Math.min(from, lines.length - 1)])[0])[at]?.focus();
      }
      const isRefused = Boolean(value.problem);
      value.rows.forEach((row, i) => lines[i][1]({ ...row, full: row.full || row.label, isRefused }));
      for (const button of box.querySelectorAll("button, input")) button.disabled = value.disabled;
      const now = value.rows.findIndex((row) => row.marked);
      if (now === turn) return;
      turn = now;
      requestAnimationFrame(bring);
    }];
  },
};

const CAN_BE_SENT_AHEAD = new Set(["slider", "choice", "switch", "action", "rows"]);

const isTyping = (target) => target.matches("input[type=text], input[type=number], textarea, select");

// bqplot draws by transitions of d3, which put everything off to a later frame even where they take
// no time. In our pictures what a transition would do is done at once; pictures of others keep theirs.
// Of what is used of bqplot and d3 here and below, nothing is promised: where it is not there, or not
// as it was, they draw as they do by themselves.
const NEEDED = ["transition", "interrupt", "node", "each", "selectAll", "attr", "style"];
const here = { duration() { return this; }, delay() { return this; }, ease() { return this; } };
// What was begun before, while the picture was not on the page, must not come after this.
function forget(selection) {
  const names = new Set();
  selection.each(function () {
    for (const { name } of Object.values(this.__transition || {})) names.add(name);
  });
  for (const name of names) selection.interrupt(name);
}
function atOnce(drawing) {
  const selection = drawing && Object.getPrototypeOf(drawing);
  if (!selection || !NEEDED.every((name) => typeof selection[name] === "function")) return false;
  const slowly = selection.transition;
  if (slowly.atOnce) return true;
  selection.transition = function (...how) {
    const node = this.node();
    if (!node || !node.closest(".rocviz")) return slowly.apply(this, how);
    forget(this);
    if (node.matches(".axis")) forget(this.selectAll("*"));
    return Object.assign(Object.create(this), here);
  };
  selection.transition.atOnce = true;
  return true;
}

// The marks and the axes of figures, as they are on the page. None of our pictures has a legend, which
// bqplot makes anew with every mark, nor names of single dots, nor scales that leave room for the widths of
// marks, for which it draws all others anew.
async function partsOf(figures) {
  const parts = [];
  for (const figure of figures) {
    const [marks, axes] = await Promise.all(
      [figure.mark_views, figure.axis_views].map((list) => Promise.all((list && list.views) || [])),
    );
    for (const mark of marks) {
      mark.model.off("data_updated redraw_legend", null, figure);
      if (mark.update_names && !mark.model.get("names")?.length) mark.update_names = () => {};
    }
    const pads = [figure.scale_x, figure.scale_y].some((scale) => !scale || scale.model.get("allow_padding"));
    if (!pads) figure.mark_padding_updated = () => {};
    parts.push(...marks.filter(canWait), ...axes.filter(canWait));
  }
  return parts;
}

// What draws the pieces of a mark or an axis: where it draws on, and what it does there again and again.
const isAxis = (part) => "axis_scale" in part;
const MARK = ["draw", "relayout", "update_visibility"];
const AXIS = ["update_scales", "set_tick_values", "tickformat_changed", "update_grid_lines", "update_label"];
function canWait(part) {
  const place = isAxis(part) ? part.g_axisline : part.d3el;
  const methods = isAxis(part) ? AXIS : MARK;
  return Boolean(place && place.filter) && methods.every((name) => typeof part[name] === "function");
}

// bqplot draws a mark for each of its traits that changes and for the scale of either axis. While a step
// is set there is nothing to draw on; then each is drawn once, what is hidden when it is shown again.
function wait(part) {
  const axis = isAxis(part), name = axis ? "g_axisline" : "d3el", place = part[name];
  const skipped = ["draw", "update_line_xy", "update_position"].filter((one) => !axis && part[one]);
  part[name] = place.filter(() => false);
  for (const one of skipped) part[one] = () => {};
  return (state, moved) => {
    for (const one of skipped) delete part[one];
    if (axis) {
      part.update_scales();
      part.set_tick_values();
      part.tickformat_changed();
      part[name] = place;
      part.update_grid_lines();
      part.update_label();
      if ("label_offset" in state) part.update_label_offset();
      return;
    }
    part[name] = place;
    const seen = part.model.get("visible");
    if ("visible" in state) part.update_visibility(part.model, seen);
    const is = part.isStale || Object.keys(state).some((key) => key !== "visible") ? "draw" : moved ? "relayout" : "";
    if (is && !seen && !part.isStale) {
      part.listenToOnce(part.model, "change:visible", () => { if (part.isStale) part.draw(); });
    }
    part.isStale = Boolean(is) && !seen;
    if (is && seen) part[is]();
  };
}

function setAll(changes, parts) {
  const states = new Map(changes);
  const isScale = (model) => "domain" in model;
  const scales = new Set([...states.keys()].filter(isScale));
  const waiting = [];
  for (const part of parts) {
    const { scales: of, scale } = part.model.attributes;
    const moved = Object.values(of || { scale }).some((one) => scales.has(one));
    if (moved || states.has(part.model)) waiting.push([wait(part), states.get(part.model) || {}, moved, part.model]);
  }
  // where bqplot is not as it was: marks that get new data do not draw themselves for a scale as well
  const drawn = new Set(waiting.map(([, , , model]) => model));
  const isMark = ([model, state]) => typeof model.dirty === "boolean" && ("x" in state || "y" in state);
  const dirty = changes.filter(isMark).map(([model]) => model);
  for (const model of dirty) model.dirty = true;
  for (const model of scales) model.set_state(states.get(model));
  for (const [model, state] of changes) if (!scales.has(model)) model.set_state(state);
  for (const [draw, state, moved] of waiting) draw(state, moved);
  for (const model of dirty) {
    const had = model.dirty && !drawn.has(model); // these data before
    model.dirty = false;
    if (had) model.trigger("data_updated");
  }
}

// The figures of the explorer as they are on the page, once they are drawn.
async function figuresOf(model) {
  const found = [];
  for (const id of model.get("figures")) {
    const figure = await model.widget_manager.get_model(id);
    found.push(...(await Promise.all(Object.values(figure.views || {}))));
  }
  return found;
}

// A step of the explorer is one message: the new traits of every model, shown in one frame.
function initialize({ model }, line) {
  const manager = model.widget_manager;
  let last = Promise.resolve();
  const draw = async (changes) => setAll(changes, await partsOf(await figuresOf(model)));
  const show = async ({ frame, paths, ...about }, buffers) => {
    paths.forEach((path, i) => {
      const inside = path.slice(0, -1).reduce((at, key) => at[key], frame);
      inside[path[path.length - 1]] = buffers[i];
    });
    const changes = await Promise.all(
      Object.entries(frame).map(async ([id, state]) => {
        const changed = await manager.get_model(id);
        return [id, changed, await changed.constructor._deserialize_state(state, manager)];
      }),
    );
    if (line.ahead && about.dropped) line.ahead.drop();
    if (line.ahead) line.ahead.filter(about, Object.fromEntries(changes.map(([id, , state]) => [id, state])));
    await draw(changes.map(([, changed, state]) => [changed, state]));
    // bqplot waits 300 ms before it looks at the room that a figure has now
    if (changes.some(([, , state]) => "fig_margin" in state || "_dom_classes" in state)) {
      for (const figure of await figuresOf(model)) figure.relayout?.();
    }
  };
  model.on("msg:custom", (message, buffers) => {
    if (message.states) message.shown = draw(message.states); // of a recording
    if (message.frame) last = last.then(() => show(message, buffers)).catch(console.error);
    if (message.dropped) line.asked = ""; // what is in hand is asked for again with the next step
    if (message.code) line.load(message.code, manager);
    if (message.recording) line.take(message.recording, buffers[0]);
  });
}

function render({ model, el }, line) {
  const sender = new Sender(model, line, el);
  el.classList.add("rocviz-rail-view");
  let controls = {};
  const folds = new Map();

  const open = (name) => {
    for (const [other, fold] of folds) {
      const on = other === name && !fold.classList.contains("is-open");
      fold.classList.toggle("is-open", on);
      fold.querySelector("button.fold").setAttribute("aria-expanded", String(on));
    }
  };

  const showOne = (name) => {
    const [element, show] = controls[name];
    const value = model.get("values")[name];
    if (!value) return;
    element.hidden = Boolean(value.hidden);
    element.classList.toggle("unrecorded", Boolean(value.unrecorded));
    if (!value.hidden) show(value);
  };
  // what is refused twice changes nothing the second time, so nothing is sent of it but the answer
  sender.onAnswer = (key) => {
    const [name] = key.split(" ");
    if (name in controls) showOne(name);
  };

  const update = () => {
    Object.keys(controls).forEach(showOne);
    const summaries = model.get("summaries");
    for (const [name, fold] of folds) {
      fold.querySelector(".summary").textContent = summaries[name] || "";
      const inside = [...fold.querySelectorAll(":scope > .inside > *")];
      fold.hidden = inside.length > 0 && inside.every((each) => each.hidden);
    }
  };

  const build = () => {
    controls = {};
    folds.clear();
    el.replaceChildren();
    for (const group of model.get("groups")) {
      let place = el;
      if (group.name) {
        const fold = make("section", "fold-box");
        const button = make("button", "fold", { type: "button", "aria-expanded": "false" });
        button.append(make("span", "name", { textContent: group.name }), make("span", "summary"));
        button.addEventListener("click", () => open(group.name));
        place = make("div", "inside");
        fold.append(button, place);
        folds.set(group.name, fold);
        el.append(fold);
      }
      for (const control of group.controls) {
        const made = makers[control.kind](control, sender);
        made[0].dataset.control = control.name;
        controls[control.name] = made;
        for (const event of CAN_BE_SENT_AHEAD.has(control.kind) ? ["pointerenter", "focusin"] : []) {
          made[0].addEventListener(event, () => line.reach(control.name, sender));
        }
        place.append(made[0]);
      }
    }
    if (model.get("note")) el.append(make("p", "note", { textContent: model.get("note") }));
    update();
    const first = model.get("opened");
    if (folds.has(first)) open(first);
  };

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const index = "123456789".indexOf(event.key);
    if (index < 0 || event.key === "") return;
    event.preventDefault();
    event.stopPropagation();
    sender.send("focus", { focus: index });
  };
  // what a control does with a key of its own is not JupyterLab's to prevent
  el.addEventListener("keydown", (event) => {
    if (/^(Arrow|Page|Home|End|Enter| )/.test(event.key) && !event.ctrlKey && !event.metaKey) {
      event.stopPropagation();
    }
  });
  // a handle on a picture is in hand, or about to be
  const onPointer = async (event) => {
    if (!event.target.closest("svg")) return;
    for (const id of model.get("handles")) {
      const { views } = await model.widget_manager.get_model(id);
      for (const view of await Promise.all(Object.values(views || {}))) {
        if (view.el.contains(event.target)) line.reach(id, sender);
      }
    }
  };
  let root = null;
  const attach = () => {
    root = el.closest(".rocviz");
    if (!root) { requestAnimationFrame(attach); return; }
    if (root.dataset.keys) return;
    root.dataset.keys = "yes";
    // JupyterLab would take arrows and numbers for commands on cells
    root.setAttribute("data-lm-suppress-shortcuts", "true");
    if (!root.hasAttribute("tabindex")) root.tabIndex = -1;
    root.addEventListener("keydown", onKey);
    root.addEventListener("pointerover", onPointer);
  };
  requestAnimationFrame(attach);

  // A figure that took long to be drawn has missed that it was given its room.
  const layOut = async () => {
    const figures = await figuresOf(model);
    el.dataset.atOnce = figures.map((figure) => atOnce(figure.svg)).every(Boolean);
    for (const figure of figures) figure.relayout?.();
    const wanted = model.get("figures").length;
    if (figures.length < wanted && el.isConnected) requestAnimationFrame(layOut);
  };
  requestAnimationFrame(layOut);

  model.on("change:figures", layOut);
  model.on("change:groups", build);
  model.on("change:values", update);
  model.on("change:summaries", update);
  const opened = () => {
    const fold = folds.get(model.get("opened"));
    if (!fold) open("");
    else if (!fold.classList.contains("is-open")) open(model.get("opened"));
  };
  model.on("change:opened", opened);
  build();
  return () => {
    sender.close();
    model.off("change:figures", layOut);
    model.off("change:groups", build);
    model.off("change:values", update);
    model.off("change:summaries", update);
    model.off("change:opened", opened);
    if (root) { root.removeEventListener("keydown", onKey); root.removeEventListener("pointerover", onPointer); delete root.dataset.keys; }
  };
}

export default () => {
  const line = new Line();
  return {
    initialize: (context) => initialize(context, line),
    render: (context) => render(context, line),
  };
};
