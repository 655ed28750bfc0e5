import type { LeaseClaims } from './lease.js';

const ENTRIES_MAX = 10_000;
/** The part of a lease's life during which it is handed out again. */
const FRESH_PART = 0.1;

interface Kept {
  readonly lease: string;
  readonly iat: number;
  readonly freshUntil: number;
}

/**
 * Remembers signed leases, so that a device that asks again is not signed for again. Never one that repeats a nonce. The oldest go first.
 */
export class LeaseCache {
  private readonly kept = new Map<string, Kept>();

  /** @param key of everything that a lease says but its times @param now in seconds @returns null when nothing fresh is kept */
  recall(key: string, now: number): string | null {
    const found = this.kept.get(key);
    return found !== undefined && found.iat <= now && now < found.freshUntil ? found.lease : null;
  }

  keep(key: string, { iat, exp }: Pick<LeaseClaims, 'iat' | 'exp'>, lease: string): void {
    this.kept.delete(key);
    this.kept.set(key, { lease, iat, freshUntil: iat + (exp - iat) * FRESH_PART });
    const [oldest] = this.kept.keys();
    if (this.kept.size > ENTRIES_MAX && oldest !== undefined) this.kept.delete(oldest);
  }
}
