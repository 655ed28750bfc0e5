import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../common/observability/index.js';
import { Clock, DAY_MS } from '../common/system/index.js';
import { PROVIDER_IDS } from './credential-providers.js';
import { CredentialsRepository } from './credentials.repository.js';

/** Time for which an expired credential is reported with 0 days left. After that, its tenant evidently does not need it. */
const REPORTED_AFTER_EXPIRY_MS = DAY_MS;

/** Reports when the next credential of each store expires, across all tenants. */
@Injectable()
export class CredentialMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly credentials: CredentialsRepository,
  ) {}

  onModuleInit(): void {
    this.metrics.addGauge(
      {
        name: 'pierhead_credential_days_left',
        help: 'Days until the next credential of a store expires; 0 for a day after it did.',
        labelNames: ['store'],
      },
      async () => {
        const now = this.clock.now().getTime();
        const found = await this.credentials.soonestExpiries(PROVIDER_IDS, new Date(now - REPORTED_AFTER_EXPIRY_MS));
        return found.map(({ store, expiresAt }) => [{ store }, Math.max(0, (expiresAt.getTime() - now) / DAY_MS)]);
      },
    );
  }
}
