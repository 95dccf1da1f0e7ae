// The rail of an explorer: every control of it, in folds.

import { makers } from "./controls.js";
import { button, make } from "./dom.js";

/** @import { Sender } from "./connection.js" */

export class Rail {
  /**
   * @param {{ values: Record<string, any>, steer: (isSteered: boolean) => void }} shown
   * @param {HTMLElement} el
   * @param {Sender} sender
   */
  constructor(shown, el, sender) {
    this.shown = shown;
    this.values = shown.values;
    this.el = el;
    this.sender = sender;
    /** @type {Record<string, [HTMLElement, (value: any) => void]>} */
    this.controls = {};
    /** @type {Map<string, HTMLElement>} */
    this.folds = new Map();
    // if a value is refused again, nothing changes, and only the answer arrives
    sender.onAnswer = (key) => this.show(key.split(" ")[0]);
    // JupyterLab must not take the keys of a control
    el.addEventListener("keydown", (event) => {
      if (/^(Arrow|Page|Home|End|Enter| )/.test(event.key) && !event.ctrlKey && !event.metaKey) {
        event.stopPropagation();
      }
    });
  }

  /**
   * Open a fold, or shut it if it is open; all others are shut. Where folds open over the controls, one
   * that opens by itself waits for a press.
   * @param {string} name
   * @param {boolean} byItself
   */
  open(name, byItself = false) {
    for (const [other, fold] of this.folds) {
      const inside = fold.querySelector(".inside");
      const isSeen = fold.classList.contains("is-open") && inside && getComputedStyle(inside).display !== "none";
      const on = other === name && !isSeen;
      fold.classList.toggle("is-open", on);
      fold.classList.toggle("is-by-itself", on && byItself);
      fold.querySelector("button.fold")?.setAttribute("aria-expanded", String(on));
    }
  }

  /** Show the value of a control. @param {string} name */
  show(name) {
    const value = this.values[`control ${name}`];
    if (!(name in this.controls) || !value) return;
    const [element, show] = this.controls[name];
    element.hidden = Boolean(value.hidden);
    element.classList.toggle("unrecorded", Boolean(value.unrecorded));
    if (!value.hidden) show(value);
  }

  /** Show the new values of these parts. @param {string[]} names */
  update(names) {
    if (names.includes("groups") || names.includes("note")) this.build();
    else for (const name of names) if (name.startsWith("control ")) this.show(name.slice(8));
    this.summarize();
    const { opened } = this.values.stage;
    if (opened === this.opened) return;
    this.opened = opened;
    if (!this.folds.get(opened)?.classList.contains("is-open")) this.open(opened, true);
  }

  summarize() {
    for (const [name, fold] of this.folds) {
      /** @type {NodeListOf<HTMLElement>} */
      const parts = fold.querySelectorAll(".summary, :scope > .inside > *");
      const [summary, ...inside] = parts;
      summary.textContent = this.values.summaries[name] || "";
      if (summary.parentElement) summary.parentElement.title = summary.textContent;
      fold.hidden = inside.length > 0 && inside.every((each) => each.hidden);
    }
  }

  fold(name) {
    const inside = make("div", "inside"), head = button("", "", () => this.open(name), "fold", { "aria-expanded": "false" });
    head.append(make("span", "name", {}, name), make("span", "summary"));
    const fold = make("section", "fold-box", {}, head, inside);
    this.folds.set(name, fold);
    // folds that follow each other stand together: in large type as tabs
    if (!this.el.lastElementChild?.matches(".folds")) this.el.append(make("div", "folds"));
    this.el.lastElementChild?.append(fold);
    return inside;
  }

  build() {
    this.controls = {};
    this.folds.clear();
    this.el.replaceChildren();
    for (const group of this.values.groups) {
      const place = group.name ? this.fold(group.name) : this.el;
      for (const control of group.controls) place.append(this.control(control));
    }
    if (this.values.note) this.el.append(make("p", "note", { textContent: this.values.note }));
    Object.keys(this.controls).forEach((name) => this.show(name));
    this.opened = null;
  }

  control(control) {
    const { name } = control, { sender } = this;
    const [element, show] = makers[control.kind](control, {
      send: (content, part = "") => sender.send(part === "" ? name : `${name} ${part}`, { control: name, ...content }),
      isBusy: () => sender.busy,
      isAsked: () => sender.isAsked(name),
      steer: (isSteered) => this.shown.steer(isSteered),
    });
    element.dataset.control = name;
    this.controls[name] = [element, show];
    for (const event of control.ahead ? ["pointerenter", "focusin"] : []) {
      element.addEventListener(event, () => sender.connection.reach(name, sender));
    }
    return element;
  }
}
