import type { Player } from "./player.js";

declare global {
  interface Window {
    /** The player of a page without a kernel. */
    rocviz: Player;
  }
}
