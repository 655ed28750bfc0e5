import { Injectable } from '@nestjs/common';
import { actAs } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { timeOfChange, Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { DeliveriesService, endpointIn, isTokenOf } from '../deliveries/index.js';
import { EndpointsRepository } from '../endpoints.repository.js';
import { ConfirmationsService } from './confirmations.service.js';

/** Stops the mails to an address at the wish of its owner, who needs no account. */
@Injectable()
export class UnsubscriptionsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly confirmations: ConfirmationsService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Disables an endpoint by the token of a mailed link; once more changes nothing. The address must then be confirmed again, or its team could go on.
   * @returns false when the token is not valid, such as that of a former address
   */
  async stop(token: unknown): Promise<boolean> {
    const id = endpointIn(token);
    if (id === null) return false;
    return this.tx.run(async () => {
      const row = await this.endpoints.findForNoKeyUpdate(id);
      const address = row?.address ?? null;
      if (row === null || address === null) return false;
      if (!isTokenOf(this.config.tokenSecret, String(token), { endpointId: id, address })) return false;
      if (!row.enabled && row.confirmedAt === null) return true;
      const before = { ...row };
      Object.assign(row, {
        enabled: false,
        disabledBecause: 'unsubscribed',
        confirmedAt: null,
        confirmationDigest: null,
        confirmationUntil: null,
        updatedAt: timeOfChange(row, this.clock.now()),
      });
      await this.deliveries.giveUp(id);
      await this.confirmations.withdraw(id);
      await this.endpoints.save(row);
      await actAs({ kind: 'unknown' }, () =>
        this.audit.record(row.tenantId, 'notification_endpoint.unsubscribed', row, { before, after: row }),
      );
      return true;
    });
  }
}
