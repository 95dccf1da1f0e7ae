// Starts a page without a kernel: makes the models of a recording, shows them, and lets the
// recording's player answer where the kernel would. Needs require.js; asks no network.

// What the framework's models and views ask of a manager, and no more.
class Manager {
  constructor(states) {
    this.states = states;
    this.models = new Map();
  }
  module(name) {
    return new Promise((done, fail) => require([name], done, fail));
  }
  async load(module, name) {
    return (await this.module(module))[name];
  }
  get_model(id) {
    if (!this.models.has(id)) this.models.set(id, this.make(id));
    return this.models.get(id);
  }
  async make(id) {
    const { model_name, model_module, state } = this.states[id];
    const Model = await this.load(model_module, model_name);
    const values = await Model._deserialize_state(revive(state), this);
    const made = new Model(values, { widget_manager: this, model_id: id, comm: new Listener() });
    made.name = model_name;
    made.module = model_module;
    return made;
  }
  create_view(model, options = {}) {
    const made = (async () => {
      await model.state_change;
      const View = await this.load(model.get("_view_module"), model.get("_view_name"));
      const view = new View({ model, options });
      view.listenTo(model, "destroy", view.remove);
      await view.render();
      return view;
    })();
    const id = Math.random().toString(36);
    if (model.views) {
      model.views[id] = made;
      made.then((view) => view.once("remove", () => { delete model.views[id]; }));
    }
    return made;
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
  const place = document.getElementById("explorer");
  if (!("DecompressionStream" in window)) {
    place.textContent = "This browser is too old for this page: it needs one of 2023 or later.";
    return;
  }
  const packed = document.getElementById("recording").textContent;
  const { player, models, root } = await unpack(packed);
  const explain = explainer();
  const manager = new Manager(models);
  const getModel = (id) => manager.get_model(id);
  const view = await manager.create_view(await getModel(root));
  const played = new Player(player, getModel, manager, explain);
  await played.listen();
  const { JupyterLuminoWidget: Frame } = await manager.module("@jupyter-widgets/base");
  place.replaceChildren();
  Frame.attach(view.luminoWidget, place);
  window.addEventListener("resize", () =>
    view.luminoWidget.processMessage(Frame.ResizeMessage.UnknownSize));
  document.addEventListener("keydown", (event) => {
    const place = "123456789".indexOf(event.key);
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input:not([type=range]), select, textarea")) return;
    played.focus(player.scenes[played.scene].panels[place]);
  });
  window.rocviz = played;
  document.body.dataset.ready = "yes";
};

begin();
