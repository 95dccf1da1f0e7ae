// Leads through a recorded story: chooses the recording that shows a step, and waits at questions.

export class Tale {
  /**
   * @param {{ asks: boolean[], scenes: [string, number][] }} story by step, whether it asks, and what shows it
   * @param {Map<string, import("./player.js").Player>} players by the name of the explorer
   * @param {(values: { at: number, asking: boolean }, name: string) => void} onStep values of the bar, and who is shown
   */
  constructor(story, players, onStep) {
    this.story = story;
    this.players = players;
    this.onStep = onStep;
    this.at = 0;
    this.asking = false;
  }

  /** The player of what is shown. @returns {any} */
  get player() {
    return this.players.get(this.story.scenes[this.asking ? Math.max(this.at - 1, 0) : this.at][0]);
  }

  /** Answer an action on the bar. @param {any} message */
  hand(message) {
    if ("focus" in message) this.player.focus(this.player.now.panels[message.focus]);
    else if ("go" in message) this.go(message.go, message.still);
    else this.show(message.show, message.still);
  }

  /** Go to a step; a question is asked over the picture of the previous step. */
  go(/** @type {number} */ at, still = true) {
    if (this.story.asks[at]) this.enter(at, Math.max(at - 1, 0), true, true);
    else this.show(at, still);
  }

  show(/** @type {number} */ at, still = true) { this.enter(at, at, still, false); }

  enter(at, seen, still, asking) {
    const [name, scene] = this.story.scenes[seen];
    for (const player of this.players.values()) player.gliding += 1; // none glides on
    this.at = at;
    this.asking = asking;
    this.onStep({ at, asking }, name);
    this.player.enter(scene, still);
  }
}
