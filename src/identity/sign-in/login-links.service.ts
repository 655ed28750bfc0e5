import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { newRow } from '../../common/database/index.js';
import { digestOf, isSecret, newSecret } from '../../common/fields/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { AuthService, type NewSession } from './auth.service.js';
import { LoginLinksRepository } from './login-links.repository.js';
import { LoginLinkInvalid } from './sign-in.problems.js';

const LIFETIME_MS = 15 * MINUTE_MS;

/** The path of the page behind a log-in link, without the leading slash. */
export const LOGIN_LINK_PATH = 'login-link';

/** A link for a user, which the operator hands over. */
export interface LoginLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Links by which a user logs in once, made by the operator alone: the way in when the identity provider fails or passwords are switched off.
 */
@Injectable()
export class LoginLinksService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly links: LoginLinksRepository,
    private readonly auth: AuthService,
  ) {}

  /** Makes a link for a user, valid for 15 minutes. */
  async create(userId: string): Promise<LoginLink> {
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await this.links.deleteExpired(now);
    await this.links.insert({ ...newRow(now), userId, secretDigest: digestOf(secret), expiresAt });
    return { url: `${this.config.publicUrl}/${LOGIN_LINK_PATH}?token=${secret}`, expiresAt };
  }

  /** Uses a link. @throws LoginLinkInvalid, NoTenant */
  async redeem(secret: unknown): Promise<NewSession> {
    const userId =
      typeof secret === 'string' && isSecret(secret) ? await this.links.take(digestOf(secret), this.clock.now()) : null;
    if (userId === null) throw new LoginLinkInvalid();
    return this.auth.begin(userId);
  }
}
