import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../common/fields/index.js';
import { Clock } from '../../common/system/index.js';
import { LicenseEventsService, LicenseLifecycleService, type ToldFact } from '../../licensing/index.js';
import { DeliveriesService } from '../deliveries/index.js';
import { LicenseNotificationsRepository } from './license-notifications.repository.js';
import { wordsOf } from './license-words.js';

/** Notifies of what happens to licenses, inside the transaction in which it happens. */
@Injectable()
export class LicenseNotificationsService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly events: LicenseEventsService,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly rows: LicenseNotificationsRepository,
    private readonly deliveries: DeliveriesService,
  ) {}

  onModuleInit(): void {
    this.events.told.add((facts) => this.notify(facts));
    this.lifecycle.beforeErase.add(({ id }) => this.rows.eraseBuyer(id));
    this.events.trialsErased.add((ids) => this.rows.eraseTrials(ids));
  }

  private async notify(facts: readonly ToldFact[]): Promise<void> {
    const rows = facts.map((fact) => ({
      ...fact,
      id: newId(),
      words: wordsOf(fact.kind, fact.reason),
      onceKey: ('onceKey' in fact ? fact.onceKey : null) ?? null,
    }));
    const added = await this.rows.add(rows, this.clock.now());
    await this.deliveries.dispatch(
      added.map(({ id, endpointId, tenantId, endpointKind, address, ...said }) => ({
        id,
        endpointId,
        tenantId,
        kind: endpointKind,
        address,
        notification: { ...said, version: null, place: null },
      })),
    );
  }
}
