import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { ExtensionsService } from '../../registry/index.js';
import type { AnalyticsOverview, AnalyticsReport, OverviewQuery, ReportQuery } from '../analytics.dto.js';
import { addDays, dayOf, DAYS_KEPT, daysBetween, type Day } from '../days.js';
import type { Dimension } from '../dimensions.js';
import { previousOf } from './compared.js';
import { FiguresRepository, type OpenValue, type RollUpProgress, type SegmentOf } from './figures.repository.js';
import { rangeOf, type Range } from './range.js';
import {
  adoptedOf,
  adoptionOf,
  beganOn,
  changesOf,
  comparedThrough,
  daysOf,
  foldOpen,
  sharesOf,
  totalOf,
  trendOf,
  usersChange,
  type DayValue,
  type Total,
} from './report.js';
import type { Filter, Segment } from './segment.dto.js';
import {
  filtersOf,
  lastOfSample,
  sampleOf,
  segmentChangesOf,
  segmentDaysOf,
  storedValue,
  type SegmentCount,
} from './segment.js';

/** The question of a report. */
interface Asked {
  readonly id: string;
  readonly range: Range;
  readonly filters: readonly Filter[];
  readonly granularity: NonNullable<ReportQuery['granularity']>;
}

/** A range with the days that it is compared to, and one more, from which they lapse. */
const comparedTo = (range: Range): Range => ({ from: addDays(previousOf(range).from, -1), to: range.to });

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
    const asked = { id, range, filters: filtersOf(query), granularity: query.granularity ?? 'day' };
    return this.figures.inSnapshot(range, async (progress) => {
      await this.extensions.getOrThrow(tenantId, id);
      return this.reportOf(asked, progress);
    });
  }

  /** Reports on all extensions of a tenant. */
  async overview(tenantId: string, query: OverviewQuery): Promise<AnalyticsOverview> {
    const range = this.rangeOf(query);
    return this.figures.inSnapshot(range, (progress) => this.overviewOf(tenantId, range, progress));
  }

  private async reportOf(asked: Asked, progress: RollUpProgress): Promise<AnalyticsReport> {
    const { id, range, granularity } = asked;
    const closedThrough = addDays(progress.openDay, -1);
    const totals = (await this.figures.totals([id], comparedTo(range), progress)).get(id) ?? new Map<Day, Total>();
    const values = await this.figures.values(id, range, progress);
    const open = foldOpen(values.open.filter(({ day }) => day >= range.from));
    const shares = sharesOf([...values.closed, ...open]);
    const adopted = adoptedOf(shares);
    const series = [...(await this.figures.series(id, range, adopted, progress)), ...open];
    const of = (wanted: Dimension): readonly DayValue[] => series.filter(({ dimension }) => dimension === wanted);
    return {
      ...range,
      granularity,
      closedThrough,
      days: daysOf(range, granularity, totals),
      previous: daysOf(previousOf(range), granularity, totals),
      changes: changesOf(range, closedThrough, totals),
      shares,
      segment: asked.filters.length === 0 ? null : await this.segmentOf(asked, progress, totals, values.open),
      adoption: adoptionOf(range, granularity, adopted, of('version'), totals),
      stores: trendOf(range, granularity, shares.store, of('store')),
      licensed: trendOf(range, granularity, shares.licensed, of('licensed')),
      live: await this.figures.live(id, range),
    };
  }

  private async overviewOf(tenantId: string, range: Range, progress: RollUpProgress): Promise<AnalyticsOverview> {
    const all = await this.extensions.listNames(tenantId);
    const closedThrough = addDays(progress.openDay, -1);
    const wide = comparedTo(range);
    const totals = await this.figures.totals(
      all.map(({ id }) => id),
      wide,
      progress,
    );
    const days = daysBetween(wide.from, wide.to);
    const together = new Map(
      days.map((day) => [
        day,
        [...totals.values()].map((one) => totalOf(one, day)).reduce(plus, totalOf(undefined, day)),
      ]),
    );
    const within = daysBetween(range.from, range.to);
    const extensions = all.map(({ id, name }) => {
      const own = totals.get(id) ?? new Map<Day, Total>();
      return {
        extensionId: id,
        name,
        ...totalOf(own, range.to),
        new: within.reduce((sum, day) => sum + totalOf(own, day).new, 0),
        change: usersChange(range, closedThrough, own).change,
      };
    });
    return {
      ...range,
      closedThrough,
      days: daysOf(range, 'day', together),
      previous: daysOf(previousOf(range), 'day', together),
      changes: changesOf(range, closedThrough, together),
      extensions: extensions.toSorted((one, other) => other.unique28 - one.unique28),
    };
  }

  /** Reports on the installs with some properties: one property from the figures, several from the pings that are kept. */
  private async segmentOf(
    { id, range, filters, granularity }: Asked,
    progress: RollUpProgress,
    totals: ReadonlyMap<Day, Total>,
    open: readonly OpenValue[],
  ): Promise<Segment> {
    const previous = previousOf(range);
    const kept = addDays(dayOf(this.clock.now()), -DAYS_KEPT);
    const within = (one: Range): Range => ({ from: one.from < kept ? kept : one.from, to: one.to });
    const read = daysBetween(within(previous).from, range.to);
    const sample = sampleOf(read.reduce((sum, day) => sum + totalOf(totals, day).active, 0));
    const segment: SegmentOf = { extensionId: id, filters, lastInstall: lastOfSample(sample) };
    const whole = (installs: number): number => Math.round(installs / sample);
    const values = await this.figures.segmentValues(segment, within(range));
    const [first, ...others] = filters;
    const isOne = first !== undefined && others.length === 0;
    const counts = isOne
      ? await this.propertyOf(id, first, { from: previous.from, to: range.to }, progress, open)
      : new Map(
          (await this.figures.segmentDays(segment, { from: read[0] ?? range.to, to: range.to })).map(
            ({ day, installs }) => [day, { active: whole(installs), new: null }],
          ),
        );
    const none: SegmentCount = { active: 0, new: isOne ? 0 : null };
    const isKnownBefore = isOne || kept <= previous.from;
    const daysIn = (one: Range): Segment['days'] => segmentDaysOf(one, granularity, counts, none);
    return {
      filters,
      pingsFrom: within(range).from,
      sample,
      days: daysIn(isOne ? range : within(range)),
      previous: isKnownBefore ? daysIn(previous) : [],
      changes: segmentChangesOf(
        range,
        {
          through: comparedThrough(range, addDays(progress.openDay, -1), totals),
          began: [beganOn(totals), isOne ? '' : kept].toSorted()[1] ?? kept,
          isKnownBefore,
        },
        counts,
        none,
      ),
      shares: sharesOf(values.map((value) => ({ ...value, installs: whole(value.installs) }))),
    };
  }

  /** Returns the installs with one property by day, those of open days included. */
  private async propertyOf(
    id: string,
    filter: Filter,
    range: Range,
    progress: RollUpProgress,
    open: readonly OpenValue[],
  ): Promise<ReadonlyMap<Day, SegmentCount>> {
    const closed = await this.figures.property(id, filter, range, progress);
    const ofOpen = open
      .filter(({ dimension, value }) => dimension === filter.dimension && value === storedValue(filter))
      .map(({ day, installs, new: fresh }) => [day, { active: installs, new: fresh }] as const);
    return new Map([...closed, ...ofOpen]);
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
