// What all widgets share: the look that the theme asks for, and widgets inside of another.

const LOOKS = ["rocviz-lecture", "rocviz-dark", "rocviz-light"];

/** The model that anywidget's stands for, if the host has one. @param {any} model */
export const wholeModel = async (model) => model.widget_manager?.get_model?.(model.get("_own_id"));

/** Keep the classes of the theme on an element, and of a connection that is lost. @param {any} model @param {HTMLElement} el */
export function dress(model, el) {
  const follow = () => {
    for (const name of LOOKS) el.classList.toggle(name, model.get("_look").includes(name));
  };
  const listen = async () => {
    el.classList.toggle("jupyter-widgets-disconnected", (await wholeModel(model))?.comm_live === false);
  };
  model.on("change:_look", follow);
  model.on("comm_live_update", listen); // of a view that anywidget draws, Jupyter does not tell
  follow();
  listen();
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
