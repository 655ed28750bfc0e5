import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { digestOf, isSecret, newSecret } from '../../common/fields/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { AddressProofsService, UserAuditService, type UserEntity } from '../accounts/index.js';
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
 * Links by which a user logs in once, made by the operator alone: for when the identity provider fails or log-in by password is off.
 */
@Injectable()
export class LoginLinksService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly links: LoginLinksRepository,
    private readonly auth: AuthService,
    private readonly audit: UserAuditService,
    private readonly proofs: AddressProofsService,
  ) {}

  onModuleInit(): void {
    this.proofs.provenFirst.add(({ id }) => this.links.deleteOf(id));
  }

  /** Makes a link for a user, valid for 15 minutes. */
  async create(user: UserEntity): Promise<LoginLink> {
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await this.tx.run(async () => {
      await this.links.deleteExpired(now);
      await this.links.insert({ ...newRow(now), userId: user.id, secretDigest: digestOf(secret), expiresAt });
      await this.audit.record(user, 'user.login_link_created');
    });
    return { url: `${this.config.publicUrl}/${LOGIN_LINK_PATH}?token=${secret}`, expiresAt };
  }

  /** Uses a link. */
  async redeem(secret: unknown): Promise<NewSession> {
    const userId =
      typeof secret === 'string' && isSecret(secret) ? await this.links.take(digestOf(secret), this.clock.now()) : null;
    if (userId === null) throw new LoginLinkInvalid();
    return this.auth.begin(userId);
  }
}
