import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { CredentialsService } from '../../credentials/index.js';
import { HORIZON_MS, warningDue, warningText } from './expiry.js';
import { NotificationsService } from '../notifications.service.js';

/** Warns of credentials that are about to expire: once for each threshold and expiry, however many processes check. */
@Injectable()
export class ExpiryWarningsService {
  constructor(
    private readonly clock: Clock,
    private readonly credentials: CredentialsService,
    private readonly notifications: NotificationsService,
  ) {}

  @Interval('credential-expiry-warnings', 10 * MINUTE_MS)
  async check(): Promise<void> {
    const now = this.clock.now();
    for (const credential of await this.credentials.expiring(now, new Date(now.getTime() + HORIZON_MS))) {
      const { id, tenantId, storeTitle, label, expiresAt } = credential;
      const days = warningDue(expiresAt, now);
      if (days === null) continue;
      await this.notifications.notify({
        tenantId,
        kind: 'credential_expiring',
        message: warningText(storeTitle, label === null ? id : `“${label}”`, expiresAt, now),
        credentialId: id,
        place: { store: storeTitle, listing: null, dashboard: null },
        onceKey: `credential_expiring:${id}:${expiresAt.toISOString()}:${days}`,
      });
    }
  }
}
