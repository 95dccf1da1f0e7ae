// Marks that glide to a new place from where they are seen: lines as a whole, and a handle along the places
// that it has come by.

const STEP_MS = 200; // to a place near by, as people fly
const LONGEST_MS = 800; // along a way of many places

/** Where a share of the time leads to: fast at first, slow at the end. @param {number} share */
const eased = (share) => 1 - (1 - share) ** 2;

/** @typedef {number[]} Place x and y */
/** @typedef {{ x: any, y: any }} Points */

const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/** The places of a way. @param {Points} way @returns {Place[]} */
export const placesOf = ({ x, y }) => Array.from(x, (value, i) => [value, y[i]]);

/**
 * The places that one passes from the end of a way to the end of another that begins at the same place: back to
 * where they part, then on. Ways with no common place have none.
 * @param {Place[]} before
 * @param {Place[]} now
 */
export const walk = (before, now) => {
  let shared = 0;
  while (shared < Math.min(before.length, now.length) && isSame(before[shared], now[shared])) shared += 1;
  return shared ? [...before.slice(shared - 1).reverse(), ...now.slice(shared)] : [];
};

/** The place at a share of a walk, whose steps take equally long. @param {Place[]} stops @param {number} share */
export const placeAt = (stops, share) => {
  const along = share * (stops.length - 1), k = Math.min(Math.floor(along), stops.length - 2), part = along - k;
  return [0, 1].map((i) => stops[k][i] + part * (stops[k + 1][i] - stops[k][i]));
};

const shapeOf = (values) => `${values.length} ${values[0]?.length ?? ""}`;

const between = (from, to, share) => (typeof to[0] === "object"
  ? to.map((row, i) => between(from[i], row, share))
  : Float64Array.from(to, (value, i) => from[i] + share * (value - from[i])));

/** The marks of one picture that glide. */
export class Glides {
  /** @param {(changes: [any, object][]) => void} show sets models */
  constructor(show) {
    this.show = show;
    /** @type {Map<any, { begun: number, time: number, to: Points, at: (share: number) => Points }>} */
    this.running = new Map();
    this.frame = 0;
  }

  /** Models are set to other places at once, or hidden. @param {any[]} models */
  end(models) { for (const model of models) this.running.delete(model); }

  /**
   * Let the models that stay in sight begin where they are seen.
   * @param {any[]} models
   * @param {[any, any][]} changes the new traits of models, of which the places of these are changed
   * @param {Place[]} stops of a walk; none of what glides straight
   */
  begin(models, changes, stops = []) {
    for (const [model, state] of changes) {
      if (!models.includes(model)) continue;
      const from = { x: model.get("x"), y: model.get("y") }, to = { x: state.x, y: state.y };
      const isKept = state.visible && model.get("visible") && to.x && ["x", "y"].every((way) => shapeOf(from[way]) === shapeOf(to[way]));
      if (!isKept || matchMedia("(prefers-reduced-motion: reduce)").matches) { this.running.delete(model); continue; }
      const begun = performance.now();
      let time = STEP_MS, at = (share) => ({ x: between(from.x, to.x, share), y: between(from.y, to.y, share) });
      if (stops.length > 1) {
        const way = [[from.x[0], from.y[0]], ...stops.slice(1)]; // it may be under way
        time = Math.min(STEP_MS * (way.length - 1), LONGEST_MS);
        at = (share) => { const [x, y] = placeAt(way, share); return { x: [x], y: [y] }; };
      }
      this.running.set(model, { begun, time, to, at });
      Object.assign(state, at(0));
    }
    if (this.running.size && !this.frame) this.frame = requestAnimationFrame(() => this.go());
  }

  // Move what glides, frame by frame, until all of it is at its place.
  go() {
    const now = performance.now();
    /** @type {[any, object][]} */
    const changes = [];
    for (const [model, { begun, time, to, at }] of this.running) {
      const share = Math.min((now - begun) / time, 1);
      if (share === 1) this.running.delete(model);
      changes.push([model, share === 1 ? to : at(eased(share))]);
    }
    this.frame = this.running.size ? requestAnimationFrame(() => this.go()) : 0;
    if (changes.length) this.show(changes);
  }
}
