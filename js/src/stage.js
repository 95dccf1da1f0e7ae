// The stage of an explorer: sentence, rail, pictures, tools. The kernel, or a recording, sends the values of
// its parts by their names, and gets a message for each action of the user.

import { Connection, Sender } from "./connection.js";
import { button, each, isTyping, make, numberKey } from "./dom.js";
import { findManager, isDead } from "./manager.js";
import { Drawing, mount } from "./picture.js";
import { Rail } from "./rail.js";
import { countMoves, dress, RESTED, wholeModel } from "./widget.js";

/** The values that an explorer shows in all of its views, by the names of its parts. */
export class Shown {
  /**
   * @param {Record<string, any>} values
   * @param {any} manager makes bqplot's models and views; perhaps a promise of it
   * @param {Record<string, string>} modules versions of the packages that they are of
   */
  constructor(values, manager, modules) {
    this.values = values;
    this.manager = manager;
    this.modules = modules;
    /** @type {Map<string, Drawing>} */
    this.drawings = new Map();
    /** @type {Set<View>} */
    this.views = new Set();
    this.isSliding = false;
  }

  /** The drawing of a picture, for all views. @param {string} name */
  drawing(name) {
    let drawing = this.drawings.get(name);
    if (!drawing) {
      drawing = new Drawing(this, name);
      this.drawings.set(name, drawing);
      drawing.update();
    }
    return drawing;
  }

  /** Show new values, all at once. @param {Record<string, any>} changes */
  set(changes) {
    Object.assign(this.values, changes);
    const names = Object.keys(changes);
    each(this.views, (view) => view.update(names));
    const drawn = new Set(names.filter((name) => /^(mark|figure) /.test(name)).map((name) => name.split(" ")[1]));
    each(this.drawings, ([name, drawing]) => { if (drawn.has(name) || "still" in changes) drawing.update(); });
  }

  /** Whether a hand moves a slider, or a handle in one of the pictures. */
  get isSteered() { return this.isSliding || [...this.drawings.values()].some((drawing) => drawing.isSteered); }

  /** A hand takes or leaves a slider. @param {boolean} isSteered */
  steer(isSteered) {
    this.isSliding = isSteered;
    if (!isSteered) this.land();
  }

  /** Let the people fly who have changed their places while a hand moved something. */
  land() { each(this.drawings, ([, drawing]) => drawing.paint()); }

  /** Handle an action on a picture. @param {object} detail */
  hand(detail) { [...this.views].at(-1)?.hand(detail); }
}

/** What a key undoes or redoes: "undo", "redo", or nothing. @param {any} event */
export const undoing = ({ key, ctrlKey, metaKey, altKey, shiftKey }) => {
  if (altKey || !(ctrlKey || metaKey)) return "";
  if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
  return key.toLowerCase() === "y" && !shiftKey ? "redo" : "";
};

/** Classes of the stage on screens that are not high: those of laptops, and a telephone on its side. */
const SCREENS = { "rocviz-short": "(max-height: 800px)", "rocviz-low": "(max-height: 480px) and (min-width: 720px)" };

/** One view of a stage. */
export class View {
  /**
   * @param {Shown} shown
   * @param {HTMLElement} el
   * @param {any} model takes messages
   * @param {Connection} connection
   */
  constructor(shown, el, model, connection) {
    this.shown = shown;
    this.connection = connection;
    this.sentence = make("div", "", { role: "status", "aria-live": "polite" });
    this.pictures = make("div");
    this.tools = make("div", "rocviz-tools");
    this.about = make("div", "rocviz-about");
    this.drawer = make("div", "rocviz-drawer", { hidden: true });
    const rail = make("div", "rocviz-rail rocviz-rail-view");
    const sentence = make("div", "rocviz-sentence", {}, this.sentence);
    this.stage = make("div", "", {}, sentence, rail, this.pictures, this.tools);
    el.append(this.stage, this.drawer);
    this.sender = new Sender(model, connection, rail);
    this.rail = new Rail(shown, rail, this.sender);
    /** @type {Map<string, Panel>} */
    this.panels = new Map();
    this.clicks = 0;
    this.screens = Object.values(SCREENS).map((query) => matchMedia(query));
    this.followScreen = () => Object.keys(SCREENS).forEach((name, i) => el.classList.toggle(name, this.screens[i].matches));
    for (const screen of this.screens) screen.addEventListener("change", this.followScreen);
    this.followScreen();
    shown.views.add(this);
    this.update(Object.keys(shown.values));
  }

  /** Show the new values of these parts. @param {string[]} names */
  update(names) {
    for (const name of names) {
      const [kind, of] = name.split(" "), value = this.shown.values[name];
      if (kind in PARTS) PARTS[kind](this, value, of);
    }
    this.rail.update(names);
  }

  /** The picture of a name, made when it is first needed. @param {string} name */
  panel(name) {
    let panel = this.panels.get(name);
    if (!panel) {
      panel = new Panel(this, name);
      this.panels.set(name, panel);
      this.pictures.append(panel.box);
    }
    return panel;
  }

  /** Handle an action on a picture; "near" announces one. @param {any} detail */
  hand(detail) {
    const { picture, mark, event } = detail;
    const what = `${picture} ${mark}`;
    if (event === "near") { this.connection.reach(what, this.sender); return; }
    // the newest position of a drag is enough, but its start and clicks are never replaced
    if (event === "drag_start") this.sender.send(`start of ${what}`, detail);
    else if (["click", "press", "release", "leave"].includes(event)) this.press(detail);
    else this.sender.send(what, detail);
  }

  /** Send a message that later ones do not replace. @param {object} content */
  press(content) {
    this.clicks += 1;
    this.sender.send(`click ${this.clicks}`, content);
  }

  /** A number key makes a picture the large one; Ctrl+Z undoes, with Shift redoes. @param {any} event */
  key(event) {
    if (isTyping(event.target)) return;
    const undoes = undoing(event);
    if (undoes) {
      event.preventDefault();
      event.stopPropagation();
      this.press({ tool: undoes });
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = numberKey(event.key);
    if (index < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.sender.send("focus", { focus: index });
  }

  close() {
    this.shown.views.delete(this);
    for (const screen of this.screens) screen.removeEventListener("change", this.followScreen);
    this.sender.close();
    for (const panel of this.panels.values()) panel.close();
  }
}

/** A picture below a heading, which enlarges it. */
class Panel {
  constructor(view, name) {
    this.view = view;
    this.name = name;
    const enlarge = () => view.sender.send("focus", { focus: this.place });
    this.title = button("", "Make this the large picture", enlarge, "rocviz-title");
    this.body = make("div", "rocviz-body");
    this.box = make("div", "rocviz-panel is-away", {}, this.title, this.body);
    this.body.addEventListener("click", (event) => {
      const isOther = view.shown.drawing(name).isOverPart || event.target.closest("button, a, input, select, summary");
      if (this.box.classList.contains("is-small") && !this.title.disabled && !isOther) enlarge();
    });
    /** @type {any} */
    this.figure = null;
    this.html = null;
    this.close = () => {};
  }

  show(value) {
    if (!value) { this.box.className = "rocviz-panel is-away"; return; }
    this.place = value.place;
    this.box.className = `rocviz-panel place-${value.place} ${value.large ? "is-large" : "is-small"}`;
    this.title.textContent = value.title;
    this.title.disabled = value.fixed;
    this.draw();
  }

  /** Show the figure, if there is one; it is made when it is first seen. */
  draw() {
    const { [`panel ${this.name}`]: shown, [`figure ${this.name}`]: figure } = this.view.shown.values;
    if (!shown || !figure) return;
    if (!this.figure) {
      this.figure = make("div");
      this.body.prepend(this.figure);
      const drawing = this.view.shown.drawing(this.name);
      mount(drawing, this.figure).then((close) => { this.close = close; }).catch(console.error);
    }
    this.figure.className = `rocviz-figure ${figure.scaling.shape}${shown.drawn_on ? " is-drawn-on" : ""}`;
    this.figure.tabIndex = shown.large ? 0 : -1;
    this.figure.setAttribute("role", "group");
    this.figure.setAttribute("aria-label", `${shown.title}. Arrow keys read out its points.`);
  }

  write(html) {
    if (!this.html) {
      this.html = make("div", "rocviz-html");
      this.body.append(this.html);
      this.body.classList.add("with-note");
    }
    this.html.innerHTML = html;
  }
}

/**
 * How a view shows each kind of part.
 * @type {Record<string, (view: View, value: any, of: string) => void>}
 */
const PARTS = {
  sentence: (view, value) => { view.sentence.innerHTML = value; },
  about: (view, value) => { view.about.textContent = value; },
  drawer: (view, value, of) => {
    if (of) return; // what a tool will show, in a recording
    view.drawer.hidden = value === null;
    if (value !== null) view.drawer.innerHTML = value;
  },
  stage: (view, { count, below }) => {
    view.stage.className = `rocviz-stage${below ? " rail-below" : ""}${count === 1 ? " of-one" : ""}`;
    view.pictures.className = `rocviz-pictures n${count}${count > 2 ? " many" : ""}`;
  },
  tools: (view, value) => {
    const buttons = value.map(([name, hint, disabled]) => {
      const more = { disabled: Boolean(disabled) };
      return button(name, hint, () => view.press({ tool: name }), "rocviz-tool", more);
    });
    view.tools.replaceChildren(...buttons, view.about);
  },
  panel: (view, value, of) => view.panel(of).show(value),
  figure: (view, _value, of) => view.panel(of).draw(),
  html: (view, value, of) => view.panel(of).write(value),
};

/** Put the buffers of a message into its marks. @param {Record<string, any>} values @param {DataView[]} buffers */
export const withNumbers = (values, buffers) => {
  for (const value of Object.values(values)) {
    if (!value?.kind) continue; // a mark has one
    for (const field of Object.values(value)) if (field?.shape) field.data = buffers[field.data];
  }
  return values;
};

/** Keep keys from JupyterLab while an explorer has the focus. @param {View} view @param {HTMLElement} el */
export const takeKeys = (view, el) => {
  // JupyterLab would take arrows and numbers for commands on cells
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  if (!el.hasAttribute("tabindex")) el.tabIndex = -1;
  el.addEventListener("keydown", (event) => view.key(event));
};

/**
 * Give the model the inputs that the kernel has, as if they were synced alone: other widgets of the page may be
 * linked to them. They are not sent back.
 * @param {any} model
 * @param {Record<string, any>} inputs
 */
const adopt = async (model, inputs) => {
  const whole = await wholeModel(model);
  whole?.set_state?.(inputs);
};

export default () => {
  const connection = new Connection();
  let isPreview = false;
  /** @type {Shown} */
  let shown;
  return {
    initialize: ({ model }) => {
      const count = countMoves(model);
      connection.onRest = () => {
        count();
        for (const { stage } of shown.views) stage.dispatchEvent(new Event(RESTED, { bubbles: true }));
      };
      const manager = findManager(model);
      manager.catch(console.error);
      shown = new Shown(model.get("_shown"), manager, model.get("_modules"));
      model.on("msg:custom", (message, buffers) => {
        if (message.shown) {
          const changes = withNumbers(message.shown, buffers);
          connection.ahead?.answered(message, changes);
          shown.set(changes);
        }
        if (message.shown) {
          if (isPreview && !message.preview) connection.onRest(); // the exact result has come
          isPreview = Boolean(message.preview);
        }
        if (message.inputs) adopt(model, message.inputs);
        if (message.dropped) connection.asked = ""; // what is in hand is asked for again with the next step
        if (message.error) console.error(`rocviz: ${message.error}`);
        if (message.code) connection.load(message.code, shown);
        if (message.recording) connection.take(message.recording, buffers[0]);
      });
    },
    render: async ({ model, el, signal }) => {
      if (await isDead(model)) {
        // a saved notebook shows the still picture, unless the page can draw
        try { await shown.manager; } catch { return undefined; }
      }
      el.classList.add("rocviz", "has-pictures");
      shown.manager.catch(() => el.classList.remove("has-pictures"));
      /** @type {View | null} */
      let view = null;
      dress(model, el, signal, () => view?.update(Object.keys(shown.values)));
      view = new View(shown, el, model, connection);
      takeKeys(view, el);
      return () => view?.close();
    },
  };
};
