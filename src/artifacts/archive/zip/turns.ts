import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Other requests wait no longer than this for a package's next turn. */
const TURN_MS = 8;

/** Collects what is made piece by piece, and lets other work go on between the pieces. */
export async function inTurns<Made>(pieces: Iterable<readonly Made[]>): Promise<Made[]> {
  const turns = new Turns();
  const made: Made[] = [];
  for (const piece of pieces) {
    made.push(...piece);
    await turns.next();
  }
  return made;
}

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
