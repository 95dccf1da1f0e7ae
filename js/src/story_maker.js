// The place to write a step of a story, above its explorer. The kernel keeps the step, or says why it cannot.

import { button, make } from "./dom.js";
import { dress, listen, showWidget } from "./widget.js";

function render({ model, el, host, signal }) {
  const form = make("div", "rocviz rocviz-maker-bar"), explorer = make("div");
  el.classList.add("rocviz-maker");
  el.replaceChildren(form, explorer);
  dress(model, form, signal);
  showWidget(host, model.get("_explorer"), explorer, signal).catch(console.error);
  /** @type {Record<string, any>} */
  const fields = {};
  const field = (name, label, tag, more = {}) => {
    fields[name] = make(tag, "", more);
    return make("label", "", {}, make("span", "", {}, label), fields[name]);
  };
  const kept = make("ol", "kept", { "aria-label": "steps that are kept" }), message = make("span", "message", { role: "status" });
  const file = make("input", "", { type: "text", value: "story.toml", "aria-label": "file" });
  const written = () => Object.fromEntries(Object.entries(fields).map(([name, input]) => [name, input.value]));
  const acts = make(
    "div", "acts", {},
    button("keep as a step", "Keep what is shown, and what is written here", () => model.send({ keep: written() }), "keep"),
    file, button("save", "Write the steps to this file", () => model.send({ save: file.value })), message,
  );
  form.replaceChildren(
    field("title", "title", "input", { type: "text" }),
    field("question", "a question that is asked before (may be empty)", "input", { type: "text" }),
    field("text", "what the step says; {result.segments.auc:.2f} is a number of what is shown", "textarea", { rows: 3 }),
    field("choices", "its choices, one in each line, a * before the right one", "textarea", { rows: 3 }),
    kept, acts,
  );
  // keys that are typed are nobody else's
  form.addEventListener("keydown", (event) => event.stopPropagation());
  let count = model.get("_titles").length;
  const update = () => {
    const titles = model.get("_titles");
    kept.replaceChildren(...titles.map((title, i) => {
      const show = button(title || "(no title)", "Show this step", () => model.send({ show: i }));
      return make("li", "", {}, show, button("✕", "Forget this step", () => model.send({ drop: i })));
    }));
    if (titles.length > count) for (const input of Object.values(fields)) input.value = "";
    count = titles.length;
    message.textContent = model.get("_message");
  };
  const events = ["change:_titles", "change:_message"];
  listen(model, events, update);
  update();
  return () => { for (const event of events) model.off(event, update); };
}

export default { render };
