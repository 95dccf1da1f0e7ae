// The menu of the gallery: a card for each story and explorer; says which one was chosen.

import { button, make } from "./dom.js";

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
    const enlarge = () => { model.set("lecture", !lecture); model.save_changes(); };
    el.append(button("large type", "For a hall", enlarge, "size", { "aria-pressed": String(lecture) }));
    if (now >= 0) el.append(button("◀ all stories and explorers", "", () => model.send({ open: -1 }), "back"));
    else {
      el.append(make("h1", "", {}, "See how rankings, ROC curves and probabilities are related"));
      for (const group of ["Stories", "Explorers"]) {
        const cards = make("div", "cards");
        model.get("items").forEach((item, i) => {
          if (item.group !== group) return;
          const card = button("", "", () => model.send({ open: i }), "card");
          card.append(make("b", "", {}, item.title), make("span", "", {}, item.about));
          cards.append(card);
        });
        el.append(make("h2", "", {}, group), cards);
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
