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
  // `next` numbers the requests of a hand; `send` tells the kernel something more.
  constructor(manager, next, send) {
    this.manager = manager;
    this.next = next;
    this.send = send;
    /** @type {Player | null} */
    this.player = null;
    this.open = null; // the request that is shown and not yet answered
    this.exact = false; // whether it was recorded, or is only the nearest that was
    this.hooked = new Set();
    this.turn = 0;
  }

  async take(packed) {
    const turn = ++this.turn;
    const data = await unpack(packed);
    const player = new Player(data, (id) => this.manager.get_model(id), this.manager);
    player.shown.fill(-1);
    for (const id of [...data.handles.map((handle) => handle.hit_area), ...(data.clicked || [])]) await this.hook(id);
    if (turn === this.turn) this.player = player;
  }

  drop() {
    this.turn += 1;
    this.player = null;
    this.open = null;
  }

  // A control was moved; any other than that of the recording makes it worthless. Returns whether
  // this has happened.
  hand(message) {
    if (!this.player) return false;
    const { player } = this;
    const [axis] = player.data.scenes[0].axes;
    const { request, ...content } = message;
    const slides = message.control === axis.name && "position" in message;
    const place = slides ? player.placeOf(axis, message) : pressed(player, content);
    if (place < 0) { this.drop(); return true; }
    this.open = null;
    if (axis.positions) {
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

  // A model tells the kernel of a drag or a click: show it at once, then ask for the exact answer.
  async hook(id) {
    if (this.hooked.has(id)) return;
    this.hooked.add(id);
    const model = await this.manager.get_model(id);
    const { send } = model;
    model.send = (content, ...rest) => {
      send.call(model, content, ...rest);
      if (content && content.point) this.drag(id, content);
      else if (content && content.event === "element_click") this.click(id, content);
    };
  }

  click(id, { data }) {
    if (!this.player) return;
    const place = pressed(this.player, { click: id, index: data?.index ?? 0 });
    if (place < 0) return;
    const request = this.next();
    this.exact = true;
    this.open = request;
    this.player.go(0, place);
    this.send({ sync: true, request });
  }

  drag(id, content) {
    if (!this.player) return;
    const { player } = this;
    const handle = player.data.handles.find((one) => one.hit_area === id);
    if (!handle) { this.drop(); return; }
    player.held.delete(player.data.rail);
    const request = this.next();
    this.exact = false;
    this.open = request;
    player.drag(handle, content);
    this.send({ sync: true, request });
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
