import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { CredentialsService } from '../../credentials/index.js';
import { AccessTokensService } from '../../platform/access/index.js';
import {
  CREDENTIAL_WARNINGS,
  credentialWarning,
  HORIZON_MS,
  TOKEN_WARNINGS,
  tokenWarning,
  warningDue,
} from './expiry.js';
import { NotificationsService } from '../notifications.service.js';

/** Warns of credentials and tokens that are about to expire: once for each threshold and expiry, however many processes check. */
@Injectable()
export class ExpiryWarningsService {
  constructor(
    private readonly clock: Clock,
    private readonly credentials: CredentialsService,
    private readonly tokens: AccessTokensService,
    private readonly notifications: NotificationsService,
  ) {}

  /** Warns of what expires soon. */
  @Interval('expiry-warnings', 10 * MINUTE_MS)
  async check(): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + HORIZON_MS);
    await this.warnOfCredentials(now, until);
    await this.warnOfTokens(now, until);
  }

  private async warnOfCredentials(now: Date, until: Date): Promise<void> {
    for (const { id, tenantId, storeTitle, label, expiresAt } of await this.credentials.expiring(now, until)) {
      const days = warningDue(CREDENTIAL_WARNINGS, expiresAt, now);
      if (days === null) continue;
      await this.notifications.notify({
        tenantId,
        kind: 'credential_expiring',
        message: credentialWarning(storeTitle, label === null ? id : `“${label}”`, expiresAt, now),
        credentialId: id,
        place: { store: storeTitle, listing: null, dashboard: null },
        onceKey: `credential_expiring:${id}:${expiresAt.toISOString()}:${days}`,
      });
    }
  }

  private async warnOfTokens(now: Date, until: Date): Promise<void> {
    for (const { id, tenantId, name, lastFour, expiresAt } of await this.tokens.expiring(now, until)) {
      const days = warningDue(TOKEN_WARNINGS, expiresAt, now);
      if (days === null) continue;
      await this.notifications.notify({
        tenantId,
        kind: 'access_token_expiring',
        message: tokenWarning(name, lastFour, expiresAt, now),
        onceKey: `access_token_expiring:${id}:${days}`,
      });
    }
  }
}
