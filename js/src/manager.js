// What draws pictures: the host's manager of widgets or, where that cannot load bqplot, the scripts of the
// installed packages, run here with the part of a manager that they need. Pages without a kernel use this, too.

import { bytesOf, make } from "./dom.js";
import { wholeModel } from "./widget.js";

const HOST_MILLISECONDS = 2000; // after which the kernel is asked for the scripts
const MODULES = ["@jupyter-widgets/base", "bqscales", "bqplot"]; // in the order in which they need each other

/** The part of a widget manager that bqplot's models and views use. */
export class Manager {
  /** @param {(module: string) => any} load finds what a module exports */
  constructor(load) { this.load = load; }
  async loadClass(name, module) { return (await this.load(module))[name]; }
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

/**
 * Run the script of a module, which calls `define`. It is a script of the page, not a module of its own: those are
 * strict, which bqplot is not written for. A page may refuse scripts without an address, or those from a blob.
 * @param {string} script
 * @param {(...parts: any[]) => void} define
 */
async function run(script, define) {
  const name = `rocviz${Math.random().toString(36).slice(2)}`, source = `((define) => {\n${script}\n})(window.${name});`;
  let isDefined = false;
  window[name] = Object.assign((...parts) => { isDefined = true; define(...parts); }, { amd: true });
  const here = make("script", "", { textContent: source });
  document.head.append(here); // runs at once
  here.remove();
  if (!isDefined) await runBlob(source);
  delete window[name];
}

const runBlob = (source) => new Promise((done, fail) => {
  const src = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const tag = make("script", "", { src, onload: done, onerror: () => fail(new Error("The page refuses scripts.")) });
  document.head.append(tag);
  for (const end of ["load", "error"]) {
    tag.addEventListener(end, () => {
      tag.remove();
      URL.revokeObjectURL(src);
    });
  }
});

const unzipped = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
};

/**
 * Make a manager of scripts, which define what they export in the manner of AMD.
 * @param {Uint8Array[]} packed compressed
 */
async function managerOf(packed) {
  const scripts = await Promise.all(packed.map(unzipped));
  /** @type {Map<string, any>} */
  const modules = new Map([["module", { uri: document.baseURI }]]);
  for (const [i, name] of MODULES.entries()) {
    await run(scripts[i], (...parts) => {
      const needs = parts.find(Array.isArray) || [];
      modules.set(name, parts.at(-1)(...needs.map((need) => modules.get(need))));
    });
  }
  return new Manager((name) => modules.get(name));
}

/** The scripts that came with this one, compressed, if any did. */
const broughtScripts = () => globalThis[Symbol.for("rocviz.scripts")]?.map(bytesOf);

/** The manager of a page without a kernel, which brings the scripts. */
export const pageManager = () => managerOf(broughtScripts());

/** The scripts, compressed: those that came with this one, or those that the kernel sends. @param {any} model */
const scriptsOf = (model) => new Promise((done, fail) => {
  const brought = broughtScripts();
  if (brought) { done(brought); return; }
  model.on("msg:custom", (message, buffers) => { if (message.scripts) done(buffers); });
  model.on("destroy", () => fail(new Error("The explorer was closed.")));
  model.send({ scripts: true });
});

/** @type {Map<string, Promise<Manager>>} by the versions of the packages, for all explorers of a page */
const managers = (globalThis[Symbol.for("rocviz.managers")] ??= new Map());

async function ownManager(model) {
  const versions = JSON.stringify(model.get("_modules"));
  try {
    const known = await managers.get(versions);
    if (known) return known;
  } catch { /* the explorer that had asked was closed */ }
  const asked = scriptsOf(model).then(managerOf);
  managers.set(versions, asked);
  return asked;
}

/** The host's manager, if it loads what draws. @param {any} model */
async function hostManager(model) {
  const manager = model.widget_manager, versions = model.get("_modules");
  if (!manager?.loadClass) throw new Error("The host has no manager of widgets.");
  await manager.loadClass("LinearScaleModel", "bqscales", versions.bqscales);
  await manager.loadClass("FigureModel", "bqplot", versions.bqplot);
  return manager;
}

/**
 * Find what draws: the host's manager or, if that fails or takes long, our own.
 * @param {any} model
 * @returns {Promise<any>}
 */
export async function findManager(model) {
  const host = hostManager(model);
  if (await isDead(model)) return host;
  const late = new Promise((done) => setTimeout(done, HOST_MILLISECONDS));
  const own = Promise.race([host, late]).catch(() => {}).then((found) => found || ownManager(model));
  return Promise.any([host, own]);
}

/** Whether no kernel is behind a widget, as in a saved notebook. @param {any} model */
export const isDead = async (model) => (await wholeModel(model))?.comm_live === false;
