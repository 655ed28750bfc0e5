import { randomBytes } from 'node:crypto';

/** Seconds an access token lives (src/stores/README.md#chrome-credentials). */
export const TOKEN_LIFETIME_SECONDS = 3599;

/** The owner and the scopes of an access token. */
export interface Grant {
  readonly principal: string;
  readonly scopes: readonly string[];
}

/** The issued access tokens. */
export class AccessTokens {
  private readonly issued = new Map<string, Grant & { readonly expiresAt: number }>();

  issue(grant: Grant, now: Date): string {
    this.forgetExpired(now);
    const token = `ya29.${randomBytes(48).toString('base64url')}`;
    this.issued.set(token, { ...grant, expiresAt: now.getTime() + TOKEN_LIFETIME_SECONDS * 1000 });
    return token;
  }

  /** `null` for a token that is unknown, expired or revoked. */
  find(token: string, now: Date): Grant | null {
    const grant = this.issued.get(token);
    return grant && grant.expiresAt > now.getTime() ? grant : null;
  }

  revoke(principal: string): void {
    for (const [token, grant] of this.issued) if (grant.principal === principal) this.issued.delete(token);
  }

  clear(): void {
    this.issued.clear();
  }

  private forgetExpired(now: Date): void {
    for (const [token, grant] of this.issued) {
      if (grant.expiresAt > now.getTime()) return; // Insertion order is expiry order, since time only moves on.
      this.issued.delete(token);
    }
  }
}
