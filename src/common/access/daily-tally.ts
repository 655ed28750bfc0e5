const ROWS = 2;
const CELLS = 2 ** 21;
const MOST = 65_535;

/**
 * Counts per key and day in 8 MB, however many keys there are: a count-min sketch. It never counts too little; by chance it counts too much
 * for one key in millions. Keys must be digests, since their first bytes choose the cells. A new day begins at nothing.
 */
export class DailyTally {
  private readonly cells = new Uint16Array(ROWS * CELLS);
  private day = '';

  /** Takes one of what a key may have on a day; false, and nothing taken, when all are taken. @param key a digest of at least 8 bytes */
  take(day: string, key: Buffer, most: number): boolean {
    if (day !== this.day) {
      // Whoever is still counting yesterday, around midnight, does not bring it back.
      if (day < this.day) return true;
      this.cells.fill(0);
      this.day = day;
    }
    const at = this.cellsOf(key);
    if (Math.min(...at.map((cell) => this.cells[cell] ?? 0)) >= Math.min(most, MOST)) return false;
    for (const cell of at) this.cells[cell] = Math.min(MOST, (this.cells[cell] ?? 0) + 1);
    return true;
  }

  /** Gives back what was taken and not needed. */
  giveBack(day: string, key: Buffer): void {
    if (day !== this.day) return;
    for (const cell of this.cellsOf(key)) this.cells[cell] = Math.max(0, (this.cells[cell] ?? 0) - 1);
  }

  private cellsOf(key: Buffer): readonly number[] {
    return [key.readUInt32LE(0) % CELLS, CELLS + (key.readUInt32LE(4) % CELLS)];
  }
}
