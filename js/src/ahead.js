// Shows recorded states, which a distant kernel has sent ahead, as soon as the user moves a control. The
// kernel still gets the message, and its exact answer replaces the recorded state.

import { key, Player, unpack } from "./player.js";

// Index of the state that a press leads to; -1 if it was not recorded.
const pressed = (player, content) => {
  const places = (player.now.axes[0].moves || {})[key(content)];
  return places ? places[player.at[0]] : -1;
};

export class Ahead {
  /** @param {any} stage what is shown, see `Shown` */
  constructor(stage) {
    this.stage = stage;
    /** @type {Player | null} */
    this.player = null;
    this.open = null; // the request that is shown and not yet answered
    this.exact = false; // whether it was recorded, or is only the nearest that was
    this.turn = 0;
  }

  async take(packed) {
    const turn = ++this.turn;
    const data = await unpack(packed);
    if (turn === this.turn) this.player = new Player(data, this.stage);
  }

  drop() {
    this.turn += 1;
    this.player = null;
    this.open = null;
  }

  // Follow an action of the user. One that was not recorded makes the recording invalid; returns whether
  // this has happened.
  hand(message) {
    if (!this.player) return false;
    const { player } = this;
    const [axis] = player.now.axes;
    const { request, ...content } = message;
    delete content.press; // what is pressed was recorded without its name
    if (message.event && message.event !== "click") return this.drag(player, message);
    const slides = message.control === axis.name && "position" in message;
    const place = slides ? player.placeOf(axis, message) : pressed(player, content);
    if (place < 0) { this.drop(); return true; }
    this.open = null;
    this.exact = true;
    if (axis.positions && slides) {
      const away = Math.abs(axis.positions[place] - message.position);
      const span = axis.positions[axis.positions.length - 1] - axis.positions[0];
      this.exact = away === 0;
      if (away > Math.max(1, 0.03 * span)) return false;
    }
    // the control does not show the words of a neighbouring value
    player.dragged = this.exact ? "" : `control ${axis.name}`;
    this.open = request;
    player.go(0, place);
    return false;
  }

  drag(player, message) {
    // only a slider follows its handle: other controls and presses have no values in between
    const isRecorded = player.now.axes[0].positions && player.handleOf(`mark ${message.picture} ${message.mark}`);
    if (!isRecorded) { this.drop(); return true; }
    if (message.event === "drag_start") return false;
    player.dragged = "";
    this.exact = false;
    this.open = message.request;
    player.drag(message);
    return false;
  }

  // Remove from an answer of the kernel the values for which the page already shows newer ones.
  /** @param {{ of?: any, preview?: boolean, dropped?: boolean }} about @param {Record<string, any>} changes */
  answered({ of, preview, dropped }, changes) {
    if (dropped) this.drop();
    const { player } = this;
    if (!player) return;
    const answers = this.open === null || (of === this.open && !(preview && this.exact));
    if (answers) this.open = null;
    player.data.columns.forEach((/** @type {any} */ { name }, /** @type {number} */ column) => {
      if (!(name in changes)) return;
      if (answers) player.shown[column] = -1;
      else delete changes[name];
    });
  }
}
