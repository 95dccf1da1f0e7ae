// A story: its bar, and the explorers that it leads, one of which is shown.

import { make } from "./dom.js";
import { isDead } from "./manager.js";
import bar from "./story_bar.js";
import { dress, showWidget } from "./widget.js";

async function render({ model, el, host, signal }) {
  if (await isDead(model)) return undefined; // a saved notebook shows the still picture
  el.classList.add("rocviz", "rocviz-story");
  dress(model, el, signal);
  /** @type {[string, HTMLElement][]} */
  const explorers = model.get("_explorers").map((reference) => [reference, make("div")]);
  const words = make("div");
  el.replaceChildren(words, ...explorers.map(([, place]) => place));
  const choose = () => {
    for (const [reference, place] of explorers) place.classList.toggle("is-away", reference !== model.get("_explorer"));
  };
  model.on("change:_explorer", choose);
  choose();
  for (const [reference, place] of explorers) showWidget(host, reference, place, signal).catch(console.error);
  return bar.render({ model, el: words });
}

export default { render };
