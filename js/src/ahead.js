// Follows a hand at once where the kernel is far away, by the recording that it sent ahead. The hand
// reaches the kernel as ever; its answer, which is exact, takes the place of what was recorded.

import { key, Player, unpack } from "./player.js";

// Where a press leads from what is shown; -1 where that was not recorded.
const pressed = (player, content) => {
  const [axis] = player.data.scenes[0].axes;
  const places = (axis.moves || {})[key(content)];
  return places ? places[player.at[0]] : -1;
};

export class Ahead {
  constructor(manager) {
    this.manager = manager;
    /** @type {Player | null} */
    this.player = null;
    this.open = null; // the request that is shown and not yet answered
    this.exact = false; // whether it was recorded, or is only the nearest that was
    this.turn = 0;
  }

  async take(packed) {
    const turn = ++this.turn;
    const data = await unpack(packed);
    const player = new Player(data, (id) => this.manager.get_model(id), this.manager);
    player.shown.fill(-1);
    if (turn === this.turn) this.player = player;
  }

  drop() {
    this.turn += 1;
    this.player = null;
    this.open = null;
  }

  // Something was moved; any other than what was recorded makes it worthless. Returns whether
  // this has happened.
  hand(message) {
    if (!this.player) return false;
    const { player } = this;
    const [axis] = player.data.scenes[0].axes;
    const { request, ...content } = message;
    if (message.event && message.event !== "click") return this.drag(player, message);
    const slides = message.control === axis.name && "position" in message;
    const place = slides ? player.placeOf(axis, message) : pressed(player, content);
    if (place < 0) { this.drop(); return true; }
    this.open = null;
    if (axis.positions && slides) {
      const away = Math.abs(axis.positions[place] - message.position);
      const span = axis.positions[axis.positions.length - 1] - axis.positions[0];
      this.exact = away === 0;
      if (away > Math.max(1, 0.03 * span)) return false;
      // the words of another value do not stand at the control
      player.held[this.exact ? "delete" : "add"](player.data.rail);
    } else this.exact = true;
    this.open = request;
    player.go(0, place);
    return false;
  }

  drag(player, message) {
    if (!player.handleOf(message)) { this.drop(); return true; }
    if (message.event === "drag_start") return false;
    player.held.delete(player.data.rail);
    this.exact = false;
    this.open = message.request;
    player.drag(message);
    return false;
  }

  // Leave out of a frame what the page already shows newer than it.
  filter({ of, preview }, frame) {
    const { player } = this;
    if (!player) return;
    const answers = this.open === null || (of === this.open && !(preview && this.exact));
    if (answers) this.open = null;
    player.data.columns.forEach((/** @type {any} */ { model, name }, /** @type {number} */ column) => {
      if (!frame[model] || !(name in frame[model])) return;
      if (answers) player.shown[column] = -1;
      else delete frame[model][name];
    });
  }
}
