// Starts a page without a kernel: shows the stage of a recording, whose player answers in place of the
// kernel. Needs no network.

import { Connection } from "./connection.js";
import { make, numberKey } from "./dom.js";
import { keepAddress, share } from "./link.js";
import { pageManager } from "./manager.js";
import { Player, unpack } from "./player.js";
import { Shown, takeKeys, View } from "./stage.js";
import bar from "./story_bar.js";
import { Tale } from "./tale.js";
import { isOnDark, watchDark } from "./widget.js";

// Takes the place of a widget's model; messages go to the player, which answers at once.
class Model {
  constructor(act, state = {}) {
    this.act = act;
    this.state = state;
    /** @type {[string, (message?: any) => void][]} */
    this.listeners = [];
  }
  get(name) { return this.state[name]; }
  set(state) {
    Object.assign(this.state, state);
    const changed = this.listeners.filter(([name]) => name.startsWith("change"));
    for (const listener of new Set(changed.map(([, one]) => one))) listener();
  }
  on(name, listener) { this.listeners.push([name, listener]); }
  off() { this.listeners = []; }
  send({ serial, ...message }) {
    this.act(message);
    for (const [name, listener] of this.listeners) if (name === "msg:custom") listener({ ack: serial });
  }
}

// Shows for a while that the touched control does not move here.
const explainer = () => {
  const words = make("p", "unrecorded-words", { role: "status" });
  document.body.append(words);
  let gone = null;
  return () => {
    words.textContent = "That was not recorded for this page. With Python it moves.";
    clearTimeout(gone);
    gone = setTimeout(() => { words.textContent = ""; }, 4000);
  };
};

// The frame that this page is in, if its own page may be read: a page in a frame is as dark as what is around it.
const frameAround = () => {
  try { return /** @type {HTMLElement | null} */ (window.frameElement); } catch { return null; }
};

const begin = async () => {
  document.body.classList.toggle("is-framed", parent !== window);
  const frame = frameAround(), dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { document.body.dataset.jpThemeLight = String(!(frame ? isOnDark(frame) : dark.matches)); };
  if (frame) watchDark(frame.ownerDocument, follow);
  else dark.addEventListener("change", follow);
  follow();
  const place = /** @type {HTMLElement} */ (document.getElementById("explorer"));
  if (!("DecompressionStream" in window)) {
    place.textContent = "This browser is too old for this page: it needs one of 2023 or later.";
    return;
  }
  const packed = document.getElementById("recording")?.textContent;
  const data = await unpack(packed);
  document.head.append(make("style", "", { textContent: data.style }));
  const explain = explainer(), manager = pageManager();
  /** @type {Map<string, Player>} */
  const players = new Map();
  const canLink = location.protocol !== "about:";
  const explorers = Object.entries(data.parts).map(([name, part]) => {
    const tools = canLink ? [...part.shown.tools, ["link", "A link to what is shown, and how to embed it", false]] : part.shown.tools;
    const shown = new Shown({ ...part.shown, tools }, manager, data.modules);
    const player = new Player(part, shown, explain);
    player.show();
    players.set(name, player);
    const explorer = make("div", data.classes.join(" "));
    let isOpen = false;
    // pictures that are away have no size to be drawn in, so they are made when their explorer is shown first
    const open = () => {
      if (isOpen) return;
      isOpen = true;
      const hand = new Model((message) => (message.tool === "link" ? share() : player.hand(message)));
      takeKeys(new View(shown, explorer, hand, new Connection()), explorer);
    };
    return { name, explorer, open, player };
  });
  /** @type {Tale | null} */
  let tale = null;
  if (data.story) {
    const story = make("div", ["rocviz-story", ...data.classes].join(" ")), words = make("div");
    const storyModel = new Model((message) => ("link" in message ? share() : tale?.hand(message)), { _steps: data.story.steps, index: 0, is_asking: false, link: canLink });
    tale = new Tale(data.story, players, ({ at, asking }, shown) => {
      for (const { name, explorer } of explorers) explorer.classList.toggle("is-away", name !== shown);
      storyModel.set({ index: at, is_asking: asking });
      explorers.find(({ name }) => name === shown)?.open();
    });
    story.append(words, ...explorers.map(({ explorer }) => explorer));
    place.replaceChildren(story);
    bar.render({ model: storyModel, el: words });
    tale.go(0); // it may begin with a question
  } else {
    place.replaceChildren(explorers[0].explorer);
    explorers[0].open();
  }
  const player = () => (tale ? tale.player : explorers[0].player);
  const write = keepAddress(player, tale);
  for (const one of players.values()) one.onShown = write;
  document.addEventListener("keydown", (event) => {
    const index = numberKey(event.key);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/** @type {Element} */ (event.target).matches("input:not([type=range]), select, textarea")) return;
    player().focus(player().now.panels[index]);
  });
  Object.defineProperty(window, "rocviz", { get: player });
  document.body.dataset.ready = "yes";
};

begin();
