/** Random numbers that a seed determines (xoshiro128**, seeded by splitmix32). */
export class Random {
  private readonly state: [number, number, number, number];

  /** @param seed any text: the same text gives the same numbers */
  constructor(seed: string) {
    let h = 0x811c9dc5;
    for (const letter of seed) h = Math.imul(h ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    const next = (): number => {
      h = (h + 0x9e3779b9) | 0;
      let t = h ^ (h >>> 16);
      t = Math.imul(t, 0x21f0aaad);
      t ^= t >>> 15;
      t = Math.imul(t, 0x735a2d97);
      return (t ^ (t >>> 15)) >>> 0;
    };
    this.state = [next(), next(), next(), next()];
  }

  /** A whole number of 32 bits. */
  bits(): number {
    const s = this.state;
    const result = Math.imul(rotate(Math.imul(s[1], 5), 7), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11);
    return result;
  }

  /** From 0 up to, but not including, 1. */
  unit(): number {
    return (this.bits() * 0x200000 + (this.bits() >>> 11)) / 2 ** 53;
  }

  /** From `low` up to, but not including, `high`. */
  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  chance(share: number): boolean {
    return this.unit() < share;
  }

  /** A time with a long tail: most are shorter than the mean, some far longer. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.unit());
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }

  /** One of the keys, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.unit() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    throw new Error('No weights');
  }

  fill(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.bits() & 0xff;
  }
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
