const ROWS = 2;
const CELLS = 2 ** 21;
/** The most that a cell holds. */
const MAX_COUNT = 65_535;

/**
 * Counts per key and day in 8 MB, for any number of keys: a count-min sketch. It never counts too little, and too much for about one key in
 * millions. Keys must be digests, since their first bytes choose the cells. A new day starts at zero.
 */
export class DailyTally {
  private readonly cells = new Uint16Array(ROWS * CELLS);
  private day = '';

  /** Counts one for a key on a day; returns false, without counting, when the limit is reached. @param key a digest of at least 8 bytes */
  take(day: string, key: Buffer, max: number): boolean {
    if (day !== this.day) {
      // Around midnight, a late count of yesterday must not bring that day back.
      if (day < this.day) return true;
      this.cells.fill(0);
      this.day = day;
    }
    const at = this.cellsOf(key);
    if (Math.min(...at.map((cell) => this.cells[cell] ?? 0)) >= Math.min(max, MAX_COUNT)) return false;
    for (const cell of at) this.cells[cell] = Math.min(MAX_COUNT, (this.cells[cell] ?? 0) + 1);
    return true;
  }

  /** Takes back one that was counted. */
  undo(day: string, key: Buffer): void {
    if (day !== this.day) return;
    for (const cell of this.cellsOf(key)) this.cells[cell] = Math.max(0, (this.cells[cell] ?? 0) - 1);
  }

  private cellsOf(key: Buffer): readonly number[] {
    return [key.readUInt32LE(0) % CELLS, CELLS + (key.readUInt32LE(4) % CELLS)];
  }
}
