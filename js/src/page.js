// Starts a page without a kernel: makes the models of a recording, shows them, and lets the
// recording's player answer where the kernel would. Needs require.js; asks no network.

import { numberKey } from "./dom.js";
import { Listener, Player, revive, unpack } from "./player.js";

// What the framework's models and views ask of a manager, and no more.
class Manager {
  constructor(states) {
    this.states = states;
    this.models = new Map();
  }
  module(name) {
    return new Promise((done, fail) => window.require([name], done, fail));
  }
  async loadClass(name, module) {
    return (await this.module(module))[name];
  }
  get_model(id) {
    if (!this.models.has(id)) this.models.set(id, this.make(id));
    return this.models.get(id);
  }
  async make(id) {
    const { model_name, model_module, state } = this.states[id];
    const Model = await this.loadClass(model_name, model_module);
    const values = await Model._deserialize_state(revive(state), this);
    const model = new Model(values, { widget_manager: this, model_id: id, comm: new Listener() });
    model.name = model_name;
    model.module = model_module;
    return model;
  }
  create_view(model, options = {}) {
    const loading = (async () => {
      await model.state_change;
      const View = await this.loadClass(model.get("_view_name"), model.get("_view_module"));
      const view = new View({ model, options });
      view.listenTo(model, "destroy", view.remove);
      await view.render();
      return view;
    })();
    const id = Math.random().toString(36);
    if (model.views) {
      model.views[id] = loading;
      loading.then((view) => view.once("remove", () => { delete model.views[id]; }));
    }
    return loading;
  }
  callbacks() { return {}; }
  inline_sanitize(text) { return text; }
  async resolveUrl(url) { return url; }
}

// Says for a while that what was touched does not move here.
const explainer = () => {
  const words = document.createElement("p");
  words.className = "unrecorded-words";
  words.setAttribute("role", "status");
  document.body.append(words);
  let gone = null;
  return () => {
    words.textContent = "That was not recorded for this page. With Python it moves.";
    clearTimeout(gone);
    gone = setTimeout(() => { words.textContent = ""; }, 4000);
  };
};

const begin = async () => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // in a frame of a site that lets its readers choose, as that site is
  let around = null;
  document.body.classList.toggle("is-framed", parent !== window);
  try { if (parent !== window) around = parent.document.documentElement; } catch { around = null; }
  const follow = () => {
    const chosen = around && around.dataset.theme;
    document.body.dataset.jpThemeLight = String(chosen ? chosen !== "dark" : !dark.matches);
  };
  dark.addEventListener("change", follow);
  if (around) new MutationObserver(follow).observe(around, { attributeFilter: ["data-theme"] });
  follow();
  const place = /** @type {HTMLElement} */ (document.getElementById("explorer"));
  if (!("DecompressionStream" in window)) {
    place.textContent = "This browser is too old for this page: it needs one of 2023 or later.";
    return;
  }
  const packed = document.getElementById("recording")?.textContent;
  const { player, models, root } = await unpack(packed);
  const explain = explainer();
  const manager = new Manager(models);
  const getModel = (/** @type {string} */ id) => manager.get_model(id);
  const view = await manager.create_view(await getModel(root));
  const played = new Player(player, getModel, manager, explain);
  await played.listen();
  const { JupyterLuminoWidget: Frame } = await manager.module("@jupyter-widgets/base");
  place.replaceChildren();
  Frame.attach(view.luminoWidget, place);
  document.addEventListener("keydown", (event) => {
    const index = numberKey(event.key);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/** @type {Element} */ (event.target).matches("input:not([type=range]), select, textarea")) return;
    played.focus(player.scenes[played.scene].panels[index]);
  });
  window.rocviz = played;
  document.body.dataset.ready = "yes";
};

begin();
