// The gallery: a card for each story and explorer, or the one that was chosen.

import { button, make } from "./dom.js";
import { dress, listen, showWidget } from "./widget.js";

// Voila serves a light page whatever the browser prefers, with margins made for notebooks.
function ownPage() {
  if (!document.body.dataset.voila) return;
  document.body.classList.add("rocviz-page");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { document.body.dataset.jpThemeLight = String(!dark.matches); };
  dark.addEventListener("change", follow);
  follow();
}

function render({ model, el, host, signal }) {
  ownPage();
  el.classList.add("rocviz-gallery");
  const menu = make("div", "rocviz rocviz-menu");
  dress(model, menu, signal);
  el.replaceChildren(menu);
  const draw = () => {
    const place = model.get("_place"), lecture = model.get("_lecture");
    const enlarge = () => { model.set("_lecture", !lecture); model.save_changes(); };
    menu.replaceChildren(button("large type", "For a hall", enlarge, "size", { "aria-pressed": String(lecture) }));
    menu.classList.toggle("is-open", place >= 0);
    if (place >= 0) {
      menu.append(button("◀ all stories and explorers", "", () => model.send({ open: -1 }), "back"));
      return;
    }
    const message = model.get("_message");
    if (message) menu.append(make("p", "message", { role: "alert" }, message));
    menu.append(make("h1", "", {}, "See how rankings, ROC curves and probabilities are related"));
    for (const group of ["Stories", "Explorers"]) {
      const cards = make("div", "cards");
      model.get("_cards").forEach((item, i) => {
        if (item.group !== group) return;
        const card = button("", "", () => model.send({ open: i }), "card");
        card.append(make("b", "", {}, item.title), make("span", "", {}, item.about));
        cards.append(card);
      });
      menu.append(make("h2", "", {}, group), cards);
    }
  };
  let shown = new AbortController();
  const open = () => {
    shown.abort();
    shown = new AbortController();
    const reference = model.get("_opened"), place = make("div");
    el.replaceChildren(menu);
    if (!reference) return;
    el.append(place);
    showWidget(host, reference, place, shown.signal).catch(console.error);
  };
  listen(model, ["change:_place", "change:_lecture", "change:_message"], draw);
  model.on("change:_opened", open);
  draw();
  open();
  return () => shown.abort();
}

export default { render };
