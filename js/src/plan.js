// The plan of a lecture: its parts, the step that comes next, and how many minutes are left.

/**
 * @typedef {{ optional?: boolean, part?: { title: string, minutes: number } }} PlannedStep
 * @typedef {{ title: string, minutes: number, first: number, end: number }} Part steps from `first` to before `end`
 */

/** Parts of a lecture; none of a story without a plan. @param {PlannedStep[]} steps @returns {Part[]} */
export const partsOf = (steps) => {
  /** @type {Part[]} */
  const parts = [];
  steps.forEach(({ part }, first) => { if (part) parts.push({ ...part, first, end: steps.length }); });
  parts.slice(0, -1).forEach((part, k) => { part.end = parts[k + 1].first; });
  return parts;
};

/** Index of the part that a step belongs to, -1 if to none. @param {Part[]} parts @param {number} at */
export const partAt = (parts, at) => parts.findIndex(({ first, end }) => first <= at && at < end);

/**
 * The next step in one direction, -1 or beyond the last if there is none; a short lecture leaves optional steps out.
 * @param {PlannedStep[]} steps @param {number} at @param {1 | -1} way @param {boolean} isShort
 */
export const neighbour = (steps, at, way, isShort) => {
  let to = at + way;
  while (isShort && steps[to]?.optional) to += way;
  return to;
};

/**
 * Minutes planned from a step on, with the step itself; each step of a part takes the same share of its minutes.
 * @param {PlannedStep[]} steps @param {number} at @param {boolean} isShort
 */
export const minutesFrom = (steps, at, isShort) => {
  let minutes = 0;
  for (const { minutes: planned, first, end } of partsOf(steps)) {
    for (let i = Math.max(first, at); i < end; i += 1) {
      if (!(isShort && steps[i].optional)) minutes += planned / (end - first);
    }
  }
  return minutes;
};
