import { hash } from 'node:crypto';
import type { LeaseClaims } from './lease.js';

/** An entry takes about a third of a kilobyte. */
const MAX_ENTRIES = 100_000;
/** The part of its lifetime during which a lease is reused. */
const FRESH_PART = 0.1;

interface Entry {
  readonly iat: number;
  readonly freshUntil: number;
  /** SHA-256 of the text that was signed. */
  readonly textDigest: string;
  readonly signature: string;
}

/**
 * Caches the signature of each device's last lease, so that the next request gets the same lease without another signature. An entry is used only
 * for the text that it signs, which contains every claim. The oldest entries are dropped first.
 */
export class LeaseCache {
  private readonly entries = new Map<string, Entry>();

  /**
   * @param device a text that names the device and the key that signs
   * @param now in seconds
   * @param textAt writes the text to be signed for a lease issued at `iat`
   * @returns the signed lease, or null when no fresh signature of that text is kept
   */
  get(device: string, now: number, textAt: (iat: number) => string): string | null {
    const entry = this.entries.get(device);
    if (entry === undefined || now < entry.iat || now >= entry.freshUntil) return null;
    const text = textAt(entry.iat);
    return digestOf(text) === entry.textDigest ? `${text}.${entry.signature}` : null;
  }

  /** Keeps the signature of a text. @param times the lease's own claims, in seconds */
  set(device: string, { iat, exp }: Pick<LeaseClaims, 'iat' | 'exp'>, text: string, signature: string): void {
    this.entries.delete(device);
    this.entries.set(device, {
      iat,
      freshUntil: iat + (exp - iat) * FRESH_PART,
      textDigest: digestOf(text),
      signature,
    });
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
  }
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url');
