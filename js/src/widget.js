// What all widgets share: the style that the theme and the page ask for, and widgets inside of another.

const THEME_CLASSES = ["rocviz-lecture", "rocviz-dark", "rocviz-light"];

/** The model that anywidget's stands for, if the host has one. @param {any} model */
export const wholeModel = async (model) => model.widget_manager?.get_model?.(model.get("_own_id"));

/** Call a function at each of several events: not every host takes their names at once. @param {any} model @param {string[]} events @param {() => void} act */
export const listen = (model, events, act) => { for (const event of events) model.on(event, act); };

// What a page says of its own colours: JupyterLab and Voila, VS Code, marimo and Sphinx's themes, Bootstrap.
const declaredBy = (node) => {
  const { jpThemeLight, vscodeThemeKind = "", theme = "", bsTheme = "" } = node.dataset;
  if (jpThemeLight) return jpThemeLight === "true" ? "light" : "dark";
  const words = `${vscodeThemeKind} ${theme} ${bsTheme}`;
  return /dark|high-contrast(?!-light)/.test(words) ? "dark" : /light/.test(words) ? "light" : "";
};

const ELEMENT_NODE = 1;
const styleOf = (node) => node.ownerDocument.defaultView.getComputedStyle(node); // it may be of another window

// The colour behind an element, through the roots of shadow trees; empty where nothing is painted.
const groundOf = (node) => {
  for (let one = node.parentNode || node.host; one; one = one.parentNode || one.host) {
    if (one.nodeType !== ELEMENT_NODE) continue;
    const [red, green, blue, alpha = 1] = (styleOf(one).backgroundColor.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 100 ? "dark" : "light";
  }
  return "";
};

/** Whether the page around an element is dark. @param {HTMLElement} el */
export const isOnDark = (el) => {
  const { body, documentElement } = el.ownerDocument;
  const declared = declaredBy(body) || declaredBy(documentElement) || groundOf(el);
  if (declared) return declared === "dark";
  const { colorScheme } = styleOf(documentElement);
  return colorScheme.includes("dark") && (!colorScheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
};

/**
 * Call a function at each change of what a page says of its colours, until the signal is aborted.
 * @param {Document} page
 * @param {() => void} act
 * @param {AbortSignal} [signal]
 */
export const watchDark = ({ documentElement, body, defaultView }, act, signal) => {
  const changes = new MutationObserver(act), dark = matchMedia("(prefers-color-scheme: dark)");
  for (const node of [documentElement, body]) changes.observe(node, { attributes: true });
  dark.addEventListener("change", act);
  defaultView?.addEventListener("load", act, { signal }); // its style sheets are there
  signal?.addEventListener("abort", () => {
    changes.disconnect();
    dark.removeEventListener("change", act);
  });
};

const STOPPED = ["dead", "terminated", "restarting", "autorestarting"]; // of the states of a kernel
/** Widgets whose kernel has stopped: a new one knows nothing of them. @type {WeakSet<object>} */
const stopped = new WeakSet();

/**
 * What keeps a widget from its kernel: "stopped", "lost" while the connection is, or nothing.
 * @param {any} model
 * @param {any} kernel the host's connection, if it has one
 */
export const troubleOf = (model, kernel) => {
  if (model.comm_live === false || kernel?.isDisposed || STOPPED.includes(kernel?.status)) stopped.add(model);
  if (stopped.has(model)) return "stopped";
  return kernel?.connectionStatus && kernel.connectionStatus !== "connected" ? "lost" : "";
};

/**
 * Watch a widget's kernel by the signals of its host, until the signal is aborted.
 * @param {any} model
 * @param {AbortSignal} signal
 * @param {(trouble: string) => void} act called at first and at each change
 */
async function watchKernel(model, signal, act) {
  const whole = await wholeModel(model), kernel = model.widget_manager?.kernel;
  if (!whole || signal.aborted) return;
  const check = () => act(troubleOf(whole, kernel));
  model.on("comm_live_update", check); // of a view that anywidget draws, Jupyter does not tell
  const signals = [kernel?.statusChanged, kernel?.connectionStatusChanged, kernel?.disposed].filter((one) => one?.connect);
  for (const one of signals) one.connect(check);
  signal.addEventListener("abort", () => { for (const one of signals) one.disconnect(check); });
  check();
}

/** Send a message, or tell that it cannot be sent: what stands on the page says why. @param {any} model @param {object} message @param {any} [callbacks] */
export const post = (model, message, callbacks) => {
  try {
    model.send(message, callbacks);
    return true;
  } catch (error) {
    console.warn(`rocviz: the kernel cannot be reached, ${error}`);
    return false;
  }
};

/**
 * Keep the style of an element: that of the theme, else the page's; and say when the kernel has stopped or cannot
 * be reached. Nothing in it can be pressed meanwhile.
 * @param {any} model
 * @param {HTMLElement} el
 * @param {AbortSignal} signal
 * @param {() => void} putBack shows the values that the kernel has sent, where controls may show others
 */
export function dress(model, el, signal, putBack = () => {}) {
  const follow = () => {
    const classes = model.get("_theme_classes");
    for (const name of THEME_CLASSES) el.classList.toggle(name, classes.includes(name));
    if (!classes.includes("rocviz-light") && isOnDark(el)) el.classList.add("rocviz-dark");
  };
  let before = "";
  const showTrouble = (trouble) => {
    el.classList.toggle("jupyter-widgets-disconnected", Boolean(trouble));
    el.classList.toggle("is-lost", trouble === "lost");
    for (const child of el.children) /** @type {HTMLElement} */ (child).inert = Boolean(trouble);
    if (trouble !== before) putBack();
    before = trouble;
  };
  model.on("change:_theme_classes", follow);
  watchDark(document, follow, signal);
  follow();
  requestAnimationFrame(follow); // once it has a place on the page
  watchKernel(model, signal, showTrouble).catch(console.error);
}

/**
 * Show another widget in an element, by its reference, until the signal is aborted.
 * @param {any} host
 * @param {string} reference
 * @param {HTMLElement} el
 * @param {AbortSignal} signal
 */
export async function showWidget(host, reference, el, signal) {
  const widget = await host.getWidget(reference);
  if (!signal.aborted) await widget.render({ el, signal });
}

const REST_MILLISECONDS = 200; // after the last answer

/**
 * Raise a counter on the model once a hand rests, where the host runs code again only when its page sets a trait.
 * @param {any} model
 */
export const countMoves = (model) => {
  if (model.widget_manager?.loadClass) return () => {};
  /** @type {any} */
  let timer = null;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      model.set("_moves", (model.get("_moves") || 0) + 1);
      model.save_changes();
    }, REST_MILLISECONDS);
  };
};

/** The event of a view whose explorer rests: what a hand has asked for is shown. */
export const RESTED = "rocviz-rested";
