import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Other requests wait no longer than this for a package's next turn. */
const TURN_MS = 8;

/** Lets other work go on between the pieces of a long one, also where reading needs no disk. */
export class Turns {
  private begun = performance.now();

  /** Called between two pieces. */
  async next(): Promise<void> {
    if (performance.now() - this.begun < TURN_MS) return;
    await yieldToOthers();
    this.begun = performance.now();
  }
}
