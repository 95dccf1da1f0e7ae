// The bar above a story's explorer. Says where a hand wants to go; the kernel, or a recording's
// player, answers with the words of that step.

import { make, numberKey } from "./dom.js";

function render({ model, el }) {
  el.classList.add("rocviz", "rocviz-story-bar");
  const count = model.get("titles").length;
  const words = make("div", "words");
  const title = make("h2", "title"), text = make("p", "text"), verdict = make("p", "verdict");
  words.setAttribute("role", "status");
  words.append(title, text, verdict);
  const choices = make("div", "choices");
  const tools = make("div", "tools");
  const button = (label, hint, act) => {
    const element = make("button", "", { type: "button", textContent: label, title: hint });
    element.addEventListener("click", act);
    return element;
  };
  const given = new Map();
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const send = (message) => model.send({ ...message, still: still() });
  const at = () => model.get("at");
  const next = () => {
    if (model.get("asking")) send({ show: at() });
    else if (at() + 1 < count) send({ go: at() + 1 });
  };
  const back = () => { if (at() > 0) send({ show: at() - 1 }); };
  const answer = (i) => {
    given.set(at(), i);
    send({ show: at() });
  };
  const again = () => { if (!model.get("asking")) send({ show: at() }); };
  const backward = button("◀ back", "Back (left arrow, Page Up)", back);
  const here = button("this step again", "Put the picture back as this step shows it (Escape)", again);
  const forward = button("next ▶", "Next (right arrow, space, Page Down)", next);
  const place = make("select", "place", { title: "Go to a step" });
  place.setAttribute("aria-label", "step");
  model.get("titles").forEach((name, i) =>
    place.append(make("option", "", { textContent: `${i + 1} of ${count}: ${name}` })));
  place.addEventListener("change", () => send({ show: place.selectedIndex }));
  tools.append(place, here, backward, forward);
  el.replaceChildren(words, choices, tools);

  const update = () => {
    const ask = model.get("ask"), asking = model.get("asking"), chosen = given.get(at());
    title.textContent = model.get("titles")[at()];
    text.textContent = asking ? ask.text : model.get("text");
    const judged = !asking && chosen !== undefined && ask.choices;
    verdict.textContent = !judged ? ""
      : chosen === ask.answer ? `Yes: ${ask.choices[ask.answer]}.` : `No: ${ask.choices[ask.answer]}.`;
    verdict.hidden = !judged;
    choices.replaceChildren();
    if (asking) {
      ask.choices.forEach((choice, i) =>
        choices.append(button(choice, `Key ${i + 1}`, () => answer(i))));
      choices.append(button("skip", "Show what happens", () => send({ show: at() })));
    }
    choices.hidden = !asking;
    place.selectedIndex = at();
    backward.disabled = at() === 0;
    here.disabled = asking;
    forward.disabled = !asking && at() + 1 === count;
    forward.textContent = asking ? "show ▶" : "next ▶";
  };

  // A presenter's clicker sends Page Up and Page Down; these lead on wherever the focus is.
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target;
    const clicker = event.key === "PageDown" || event.key === "PageUp";
    const busy = target.matches?.("input, select, textarea, [contenteditable=true]");
    if ((busy && !clicker) || (event.key === " " && target.matches?.("button"))) return;
    const number = numberKey(event.key);
    const acts = { ArrowRight: next, " ": next, PageDown: next, ArrowLeft: back, PageUp: back, Escape: again };
    if (number >= 0 && !model.get("asking")) acts[event.key] = () => send({ focus: number });
    else if (number >= 0 && number < model.get("ask").choices.length) acts[event.key] = () => answer(number);
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  };
  // In a notebook the keys are the notebook's, unless the story has the focus.
  let listens = null;
  const attach = () => {
    const root = el.closest(".rocviz-story");
    if (!root) { requestAnimationFrame(attach); return; }
    listens = document.querySelector(".jp-Notebook, .notebook") && !document.body.dataset.voila
      ? root : document;
    if (listens === root) {
      root.setAttribute("data-lm-suppress-shortcuts", "true");
      if (!root.hasAttribute("tabindex")) root.tabIndex = -1;
    }
    listens.addEventListener("keydown", onKey, true);
  };
  attach();
  for (const name of ["at", "text", "ask", "asking"]) model.on(`change:${name}`, update);
  update();
  return () => {
    for (const name of ["at", "text", "ask", "asking"]) model.off(`change:${name}`, update);
    listens?.removeEventListener("keydown", onKey, true);
  };
}

export default { render };
