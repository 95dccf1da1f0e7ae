import type { Player } from "./player.js";

declare global {
  interface Window {
    /** What require.js puts on a page without a kernel. */
    require: (names: string[], done: (module: any) => void, fail: (error: unknown) => void) => void;
    /** The player of a page without a kernel. */
    rocviz: Player;
  }
}
