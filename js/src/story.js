// A story: its bar, and the explorers that it leads, one of which is shown.

import { make } from "./dom.js";
import { isDead } from "./manager.js";
import bar from "./story_bar.js";
import { countMoves, dress, RESTED, showWidget } from "./widget.js";

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
  // its step or one of its explorers was moved by hand
  const count = countMoves(model);
  model.on("msg:custom", (message) => { if (message.rests) count(); });
  el.addEventListener(RESTED, count);
  for (const [reference, place] of explorers) showWidget(host, reference, place, signal).catch(console.error);
  return bar.render({ model, el: words });
}

export default { render };
