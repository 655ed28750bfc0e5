import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { ExtensionsService } from '../../registry/index.js';
import type { AnalyticsOverview, AnalyticsReport, OverviewQuery, ReportQuery } from '../analytics.dto.js';
import { addDays, dayOf, daysBetween, type Day } from '../days.js';
import type { Dimension } from '../dimensions.js';
import { FiguresRepository, type RollUpProgress } from './figures.repository.js';
import { rangeOf, type Range } from './range.js';
import {
  adoptedOf,
  adoptionOf,
  daysOf,
  foldOpen,
  sharesOf,
  totalOf,
  trendOf,
  type DayValue,
  type Total,
} from './report.js';

/** Reports on a tenant's extensions. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly clock: Clock,
    private readonly extensions: ExtensionsService,
    private readonly figures: FiguresRepository,
  ) {}

  /** Reports on one extension. */
  async report(tenantId: string, id: string, query: ReportQuery): Promise<AnalyticsReport> {
    const range = this.rangeOf(query);
    return this.figures.inSnapshot(range, async (progress) => {
      await this.extensions.getOrThrow(tenantId, id);
      return this.reportOf(id, range, query.granularity ?? 'day', progress);
    });
  }

  /** Reports on all extensions of a tenant. */
  async overview(tenantId: string, query: OverviewQuery): Promise<AnalyticsOverview> {
    const range = this.rangeOf(query);
    return this.figures.inSnapshot(range, (progress) => this.overviewOf(tenantId, range, progress));
  }

  private async reportOf(
    id: string,
    range: Range,
    granularity: NonNullable<ReportQuery['granularity']>,
    progress: RollUpProgress,
  ): Promise<AnalyticsReport> {
    const totals = (await this.figures.totals([id], range, progress)).get(id) ?? new Map<Day, Total>();
    const values = await this.figures.values(id, range, progress);
    const open = foldOpen(values.open);
    const shares = sharesOf([...values.closed, ...open]);
    const adopted = adoptedOf(shares);
    const series = [...(await this.figures.series(id, range, adopted, progress)), ...open];
    const of = (wanted: Dimension): readonly DayValue[] => series.filter(({ dimension }) => dimension === wanted);
    return {
      ...range,
      granularity,
      closedThrough: addDays(progress.openDay, -1),
      days: daysOf(range, granularity, totals),
      shares,
      adoption: adoptionOf(range, granularity, adopted, of('version'), totals),
      stores: trendOf(range, granularity, shares.store, of('store')),
      licensed: trendOf(range, granularity, shares.licensed, of('licensed')),
      live: await this.figures.live(id, range),
    };
  }

  private async overviewOf(tenantId: string, range: Range, progress: RollUpProgress): Promise<AnalyticsOverview> {
    const all = await this.extensions.listNames(tenantId);
    const totals = await this.figures.totals(
      all.map(({ id }) => id),
      range,
      progress,
    );
    const days = daysBetween(range.from, range.to);
    const together = new Map(
      days.map((day) => [
        day,
        [...totals.values()].map((one) => totalOf(one, day)).reduce(plus, totalOf(undefined, day)),
      ]),
    );
    const extensions = all.map(({ id, name }) => ({
      extensionId: id,
      name,
      ...totalOf(totals.get(id), range.to),
      new: [...(totals.get(id)?.values() ?? [])].reduce((sum, one) => sum + one.new, 0),
    }));
    return {
      ...range,
      closedThrough: addDays(progress.openDay, -1),
      days: daysOf(range, 'day', together),
      extensions: extensions.toSorted((one, other) => other.unique28 - one.unique28),
    };
  }

  private rangeOf(query: OverviewQuery): Range {
    return rangeOf(query, dayOf(this.clock.now()));
  }
}

const plus = (one: Total, other: Total): Total => ({
  active: one.active + other.active,
  new: one.new + other.new,
  unique7: one.unique7 + other.unique7,
  unique28: one.unique28 + other.unique28,
});
