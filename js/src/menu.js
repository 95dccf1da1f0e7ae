// The menu of the gallery: a card for each story and explorer; says which one was chosen.

import { make } from "./dom.js";

// Voila serves a light page whatever the browser prefers, with margins made for notebooks.
function ownPage() {
  if (!document.body.dataset.voila) return;
  document.body.classList.add("rocviz-page");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { document.body.dataset.jpThemeLight = String(!dark.matches); };
  dark.addEventListener("change", follow);
  follow();
}

function render({ model, el }) {
  ownPage();
  el.classList.add("rocviz", "rocviz-menu");
  const draw = () => {
    el.replaceChildren();
    const now = model.get("now"), lecture = model.get("lecture");
    const size = make("button", "size", { type: "button", textContent: "large type", title: "For a hall" });
    size.setAttribute("aria-pressed", String(lecture));
    size.addEventListener("click", () => { model.set("lecture", !lecture); model.save_changes(); });
    el.append(size);
    if (now >= 0) {
      const back = make("button", "back", { type: "button", textContent: "◀ all stories and explorers" });
      back.addEventListener("click", () => model.send({ open: -1 }));
      el.append(back);
    } else {
      el.append(make("h1", "", { textContent: "See how rankings, ROC curves and probabilities are related" }));
      for (const group of ["Stories", "Explorers"]) {
        el.append(make("h2", "", { textContent: group }));
        const cards = make("div", "cards");
        model.get("items").forEach((item, i) => {
          if (item.group !== group) return;
          const card = make("button", "card", { type: "button" });
          card.append(make("b", "", { textContent: item.title }), make("span", "", { textContent: item.about }));
          card.addEventListener("click", () => model.send({ open: i }));
          cards.append(card);
        });
        el.append(cards);
      }
    }
    el.classList.toggle("is-open", now >= 0);
    el.classList.toggle("rocviz-lecture", lecture);
  };
  model.on("change:now change:lecture", draw);
  draw();
  return () => model.off("change:now change:lecture", draw);
}

export default { render };
