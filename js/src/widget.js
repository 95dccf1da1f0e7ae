// What all widgets share: the style that the theme and the page ask for, and widgets inside of another.

const THEME_CLASSES = ["rocviz-lecture", "rocviz-dark", "rocviz-light"];

/** The model that anywidget's stands for, if the host has one. @param {any} model */
export const wholeModel = async (model) => model.widget_manager?.get_model?.(model.get("_own_id"));

/** Call a function at each of several events: not every host takes their names at once. @param {any} model @param {string[]} events @param {() => void} act */
export const listen = (model, events, act) => { for (const event of events) model.on(event, act); };

// What a page says of its own colours: JupyterLab and Voila, VS Code, marimo and Sphinx, Bootstrap.
const declaredBy = (node) => {
  const { jpThemeLight, vscodeThemeKind = "", theme = "", bsTheme = "" } = node.dataset;
  if (jpThemeLight) return jpThemeLight === "true" ? "light" : "dark";
  const words = `${vscodeThemeKind} ${theme} ${bsTheme}`;
  return /dark|high-contrast(?!-light)/.test(words) ? "dark" : /light/.test(words) ? "light" : "";
};

// The colour behind an element, through the roots of shadow trees; empty where nothing is painted.
const groundOf = (node) => {
  for (let one = node.parentNode || node.host; one; one = one.parentNode || one.host) {
    if (!(one instanceof Element)) continue;
    const [red, green, blue, alpha = 1] = (getComputedStyle(one).backgroundColor.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 100 ? "dark" : "light";
  }
  return "";
};

/** Whether the page around an element is dark. @param {HTMLElement} el */
export const isOnDark = (el) => {
  const { body, documentElement } = document;
  const declared = declaredBy(body) || declaredBy(documentElement) || groundOf(el);
  if (declared) return declared === "dark";
  const { colorScheme } = getComputedStyle(documentElement);
  return colorScheme.includes("dark") && (!colorScheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
};

/**
 * Keep the style of an element: that of the theme, else the page's; and say when the kernel has stopped.
 * @param {any} model
 * @param {HTMLElement} el
 * @param {AbortSignal} signal
 */
export function dress(model, el, signal) {
  const follow = () => {
    const classes = model.get("_theme_classes");
    for (const name of THEME_CLASSES) el.classList.toggle(name, classes.includes(name));
    if (!classes.includes("rocviz-light") && isOnDark(el)) el.classList.add("rocviz-dark");
  };
  const showConnection = async () => {
    el.classList.toggle("jupyter-widgets-disconnected", (await wholeModel(model))?.comm_live === false);
  };
  model.on("change:_theme_classes", follow);
  model.on("comm_live_update", showConnection); // of a view that anywidget draws, Jupyter does not tell
  const page = new MutationObserver(follow), dark = matchMedia("(prefers-color-scheme: dark)");
  for (const node of [document.documentElement, document.body]) page.observe(node, { attributes: true });
  dark.addEventListener("change", follow);
  signal.addEventListener("abort", () => {
    page.disconnect();
    dark.removeEventListener("change", follow);
  });
  follow();
  requestAnimationFrame(follow); // once it has a place on the page
  showConnection();
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
