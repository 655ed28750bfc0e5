import { Injectable } from '@nestjs/common';
import { dayOf, rangeOf } from '../../analytics/index.js';
import { Clock } from '../../common/system/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { byStore, Stores } from '../../stores/index.js';
import { channelOrNull, TargetsRepository } from '../../targets/index.js';
import { ReadingsRepository } from '../readings.repository.js';
import { FiguresRepository } from './figures.repository.js';
import type { StoreReport, StoreReportQuery } from './store-report.dto.js';
import { daysOf, sharesOf, versionsOf } from './store-report.js';

/** Reports on what stores counted. */
@Injectable()
export class StoreReportsService {
  constructor(
    private readonly clock: Clock,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsRepository,
    private readonly stores: Stores,
    private readonly readings: ReadingsRepository,
    private readonly figures: FiguresRepository,
  ) {}

  /** Reports on one extension, store by store. */
  async report(tenantId: string, { extension: extensionId, ...query }: StoreReportQuery): Promise<StoreReport> {
    const range = rangeOf(query, dayOf(this.clock.now()));
    await this.extensions.getOrThrow(tenantId, extensionId);
    const targets = (await this.targets.findAll(extensionId)).filter(({ storeItemId }) => storeItemId !== null);
    const ids = targets.map(({ id }) => id);
    const readings = new Map(
      (await this.readings.findAll(ids, 'figures')).map((reading) => [reading.targetId, reading]),
    );
    const rows = await this.figures.list(ids, range);
    return {
      extensionId,
      ...range,
      stores: targets.toSorted(byStore).map(({ id, store, channel }) => {
        const own = rows.filter(({ targetId }) => targetId === id);
        return {
          targetId: id,
          store,
          channel: channelOrNull(channel),
          metrics: this.stores.for(store).capabilities.figures,
          readAt: readings.get(id)?.readAt ?? null,
          failure: readings.get(id)?.failure ?? null,
          days: daysOf(range, own),
          versions: versionsOf(own),
          countries: sharesOf(own, 'country'),
          languages: sharesOf(own, 'language'),
        };
      }),
    };
  }
}
