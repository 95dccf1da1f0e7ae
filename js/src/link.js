// The address of a page holds the step of a story and the values that were moved, so that a link leads there.

import { button, make } from "./dom.js";
import { nearest } from "./player.js";

const STEP = "step", LARGE = "large";

/** The values of a player that differ from its opening state, by name. @param {any} player @returns {[string, string][]} */
export const stateOf = ({ now, at }) => {
  const moved = now.axes.flatMap((axis, i) => {
    if (at[i] === now.start[i]) return [];
    return [[axis.name, axis.values ? String(axis.values[at[i]]) : `~${at[i]}`]];
  });
  const [view, first] = [at, now.start].map((one) => now.views[one[now.axes.length]]);
  return view === first ? moved : [...moved, [LARGE, view]];
};

/** Show the values of an address; others, and ones that were not recorded, stay as they are. @param {any} player @param {URLSearchParams} wanted */
export const goTo = (player, wanted) => {
  const { axes, views } = player.now;
  axes.forEach((axis, i) => {
    const text = wanted.get(axis.name) ?? "";
    const place = axis.values ? nearest(axis.values, parseFloat(text)) : parseInt(text.slice(1), 10);
    if (/^[-~.\d]/.test(text) && place >= 0 && place < axis.size) player.at[i] = place;
  });
  const view = views.indexOf(wanted.get(LARGE));
  if (view >= 0) player.at[axes.length] = view;
  player.show();
};

/**
 * Keep the address of the page in step with the values shown.
 * @param {() => any} player of the explorer that is shown
 * @param {any} tale of a story, or null
 */
export const keepAddress = (player, tale) => {
  const here = () => {
    const state = new URLSearchParams(stateOf(player()));
    const step = tale && (tale.at || String(state)) ? [[STEP, String(tale.at + 1)]] : [];
    return new URLSearchParams([...step, ...(tale?.asking ? [] : state)]).toString();
  };
  const wanted = () => new URLSearchParams(location.hash.slice(1));
  let writes = false;
  const follow = () => {
    const to = wanted(), step = parseInt(to.get(STEP) ?? "", 10) - 1;
    writes = false;
    if (tale && step >= 0 && step < tale.story.asks.length) {
      // moved values can be seen only after the question is answered
      if ([...to.keys()].length > 1) tale.show(step);
      else tale.go(step);
    } else if (tale) tale.go(0);
    else player().tool("start");
    goTo(player(), to);
    writes = true;
  };
  // Steps enter the history of the browser; values moved within a step do not.
  let timer = null, last = tale?.at;
  // What is written here is announced later, when something else may be shown already.
  const own = [];
  const write = () => {
    clearTimeout(timer);
    if (!writes) return;
    const isStep = tale && tale.at !== last;
    last = tale?.at;
    timer = setTimeout(() => {
      const hash = `#${here()}`;
      if (hash === (location.hash || "#")) return;
      if (isStep) location.hash = hash;
      else location.replace(hash);
      own.push(location.href);
    }, isStep ? 0 : 300);
  };
  window.addEventListener("hashchange", ({ newURL }) => {
    if (newURL === own[0]) own.shift();
    else if (wanted().toString() !== here()) follow();
  });
  if (location.hash.length > 1) follow();
  writes = true;
  return write;
};

const copy = async (field, press) => {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    press.textContent = "copied";
  } catch {
    press.textContent = "press Ctrl+C"; // the browser does not let a page copy; the text is selected
  }
};

/** Show a link to the present state, and a line of HTML that embeds it. */
export const share = () => {
  const dialog = make("dialog", "share");
  const link = location.href;
  const frame = make("iframe", "", { src: link, width: "960", height: "540", title: document.title, style: "border: 0", allow: "fullscreen" });
  for (const [label, text] of [["link", link], ["to embed it", frame.outerHTML]]) {
    const field = make("input", "", { type: "text", readOnly: true, value: text });
    const press = button("copy", "", () => copy(field, press));
    dialog.append(make("label", "", {}, make("span", "", {}, label), field, press));
  }
  dialog.append(button("close", "", () => dialog.close()));
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
};
