import { hash } from 'node:crypto';
import type { LeaseClaims } from './lease.js';

/** Each takes a quarter of a kilobyte. */
const ENTRIES_MAX = 100_000;
/** The part of a lease's life during which it is handed out again. */
const FRESH_PART = 0.1;

/** What makes a lease the same again: when it was issued, in seconds, and its signature. */
export interface KeptLease {
  readonly iat: number;
  readonly signature: string;
}

/**
 * Remembers signatures of leases, so that a device that asks again is not signed for again: everything else of a lease follows from what
 * is true and from when it was issued. Never one that repeats a nonce. The oldest go first.
 */
export class LeaseCache {
  private readonly kept = new Map<string, KeptLease & { readonly freshUntil: number }>();

  /** @param key of everything that a lease says but its times @param now in seconds @returns null when nothing fresh is kept */
  recall(key: string, now: number): KeptLease | null {
    const found = this.kept.get(short(key));
    return found !== undefined && found.iat <= now && now < found.freshUntil ? found : null;
  }

  keep(key: string, { iat, exp }: Pick<LeaseClaims, 'iat' | 'exp'>, signature: string): void {
    const at = short(key);
    this.kept.delete(at);
    this.kept.set(at, { signature, iat, freshUntil: iat + (exp - iat) * FRESH_PART });
    const [oldest] = this.kept.keys();
    if (this.kept.size > ENTRIES_MAX && oldest !== undefined) this.kept.delete(oldest);
  }
}

const short = (key: string): string => hash('sha256', key, 'base64url');
