import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Config } from '../../../common/config/index.js';
import { API_PREFIX } from '../../../common/http/index.js';
import { Sealer } from '../../../common/sealing/index.js';
import { Clock, MINUTE_MS } from '../../../common/system/index.js';
import type { SignInChecks } from './openid-provider.js';

const NAME = 'svc_sign_in';
const SEALED = new RegExp(`(?:^|;\\s*)${NAME}=([\\w.-]{1,4000})(?:;|$)`);
const PURPOSE = 'sign-in cookie';
const LIFETIME_MS = 10 * MINUTE_MS;

/** A sign-in that has begun, as the browser keeps it. */
export interface PendingSignIn extends SignInChecks {
  readonly returnTo: string;
  /** The user whom the person will be linked to; null for a sign-in. */
  readonly linkTo: string | null;
}

/**
 * The cookie that keeps a sign-in until its callback: encrypted, and valid for 10 minutes. The database stores nothing for people who never
 * come back.
 */
@Injectable()
export class SignInCookie {
  private readonly options: CookieOptions;

  constructor(
    { isLocal, basePath }: Config,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {
    const path = `${basePath}${API_PREFIX}/auth/oidc`;
    this.options = { httpOnly: true, sameSite: 'lax', secure: !isLocal, path };
  }

  /** Sets the cookie. */
  async set(response: Response, pending: PendingSignIn): Promise<void> {
    const expiresAt = this.clock.now().getTime() + LIFETIME_MS;
    const sealed = await this.sealer.seal({ ...pending, expiresAt }, PURPOSE);
    response.cookie(NAME, sealed, { ...this.options, maxAge: LIFETIME_MS });
  }

  /** Reads the cookie and removes it from the browser; null when there is none, or it has expired. */
  async take({ headers }: Request, response: Response): Promise<PendingSignIn | null> {
    const [, sealed] = SEALED.exec(headers.cookie ?? '') ?? [];
    if (sealed === undefined) return null;
    response.clearCookie(NAME, this.options);
    const opened = await this.sealer.unseal(sealed, PURPOSE).catch(() => null);
    const pending = opened as (PendingSignIn & { readonly expiresAt: number }) | null;
    return pending !== null && pending.expiresAt > this.clock.now().getTime() ? pending : null;
  }
}
