import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { CredentialsService } from '../credentials/index.js';
import { HORIZON_MS, warningDue, warningText } from './expiry.js';
import { Notifier } from './notifier.service.js';

/** Warns of credentials that expire. Each warning is told once per credential and expiry, however many processes look. */
@Injectable()
export class ExpiryWatch {
  constructor(
    private readonly clock: Clock,
    private readonly credentials: CredentialsService,
    private readonly notifier: Notifier,
  ) {}

  async check(): Promise<void> {
    const now = this.clock.now();
    for (const credential of await this.credentials.expiring(now, new Date(now.getTime() + HORIZON_MS))) {
      const { id, tenantId, storeTitle, label, expiresAt } = credential;
      const days = warningDue(expiresAt, now);
      if (days === null) continue;
      await this.notifier.tell({
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
