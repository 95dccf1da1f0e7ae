// The rail of an explorer: every control of it, and the steps that the kernel sends.

import { Connection, Sender } from "./connection.js";
import { makers } from "./controls.js";
import { isTyping, make, numberKey } from "./dom.js";

// A step of the explorer is one message: the new traits of every model, shown in one frame.
function initialize({ model }, connection) {
  const manager = model.widget_manager;
  let last = Promise.resolve();
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
    if (connection.ahead && about.dropped) connection.ahead.drop();
    if (connection.ahead) connection.ahead.filter(about, Object.fromEntries(changes.map(([id, , state]) => [id, state])));
    for (const [, changed, state] of changes) changed.set_state(state);
  };
  model.on("msg:custom", (message, buffers) => {
    if (message.frame) last = last.then(() => show(message, buffers)).catch(console.error);
    if (message.dropped) connection.asked = ""; // what is in hand is asked for again with the next step
    if (message.code) connection.load(message.code, manager);
    if (message.recording) connection.take(message.recording, buffers[0]);
  });
}

function render({ model, el }, connection) {
  const sender = new Sender(model, connection, el);
  el.classList.add("rocviz-rail-view");
  /** @type {Record<string, [HTMLElement, (value: any) => void]>} */
  let controls = {};
  /** @type {Map<string, HTMLElement>} */
  const folds = new Map();

  const open = (name) => {
    for (const [other, fold] of folds) {
      const on = other === name && !fold.classList.contains("is-open");
      fold.classList.toggle("is-open", on);
      fold.querySelector("button.fold")?.setAttribute("aria-expanded", String(on));
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
      /** @type {NodeListOf<HTMLElement>} */
      const parts = fold.querySelectorAll(".summary, :scope > .inside > *");
      const [summary, ...inside] = parts;
      summary.textContent = summaries[name] || "";
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
        const { name } = control;
        const [element, show] = makers[control.kind](control, {
          send: (content, part = "") => sender.send(part === "" ? name : `${name} ${part}`, { control: name, ...content }),
          isBusy: () => sender.busy,
          isAsked: () => sender.isAsked(name),
        });
        element.dataset.control = name;
        controls[name] = [element, show];
        for (const event of control.ahead ? ["pointerenter", "focusin"] : []) {
          element.addEventListener(event, () => connection.reach(name, sender));
        }
        place.append(element);
      }
    }
    if (model.get("note")) el.append(make("p", "note", { textContent: model.get("note") }));
    update();
    const first = model.get("opened");
    if (folds.has(first)) open(first);
  };

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const index = numberKey(event.key);
    if (index < 0) return;
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
  // what a hand does on a picture; "near" is that it is about to
  let clicks = 0;
  const onHand = ({ detail }) => {
    const { picture, mark, event } = detail;
    const what = `${picture} ${mark}`;
    if (event === "near") { connection.reach(what, sender); return; }
    // the newest place of a drag is enough; nothing takes the place of its start or of a click
    if (event === "click") clicks += 1;
    sender.send({ click: `click ${clicks}`, drag_start: `start of ${what}` }[event] || what, detail);
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
    root.addEventListener("rocviz-hand", onHand);
  };
  requestAnimationFrame(attach);

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
    model.off("change:groups", build);
    model.off("change:values", update);
    model.off("change:summaries", update);
    model.off("change:opened", opened);
    if (root) { root.removeEventListener("keydown", onKey); root.removeEventListener("rocviz-hand", onHand); delete root.dataset.keys; }
  };
}

export default () => {
  const connection = new Connection();
  return {
    initialize: (context) => initialize(context, connection),
    render: (context) => render(context, connection),
  };
};
