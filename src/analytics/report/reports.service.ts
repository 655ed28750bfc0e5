import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../common/system/index.js';
import { ExtensionsService } from '../../registry/index.js';
import type { AnalyticsOverview, AnalyticsReport, OverviewQuery, ReportQuery } from '../analytics.dto.js';
import { dayOf, daysBetween, type Day } from '../days.js';
import { FiguresService, totalOf, type Progress } from './figures.service.js';
import { rangeOf, type Range } from './range.js';
import {
  adoptedOf,
  adoptionOf,
  csvOf,
  daysOf,
  foldOpen,
  reportLines,
  sharesOf,
  type Cell,
  type Total,
} from './report.js';

const CSV = 'text/csv';

/** Reports for tenants, as JSON or CSV. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly clock: Clock,
    private readonly extensions: ExtensionsService,
    private readonly figures: FiguresService,
  ) {}

  /** Answers with an extension's figures. @throws ExtensionNotFound, InvalidRequest */
  async report(tenantId: string, id: string, query: ReportQuery, request: Request, response: Response): Promise<void> {
    const range = this.rangeOf(query);
    const report = await this.figures.atOneMoment(range, async (progress) => {
      await this.extensions.mustExist(tenantId, id);
      return this.reportOf(id, range, query.granularity ?? 'day', progress);
    });
    answer(request, response, report, () => reportLines(report));
  }

  /** Answers with the figures of all extensions of a tenant. @throws InvalidRequest */
  async overview(tenantId: string, query: OverviewQuery, request: Request, response: Response): Promise<void> {
    const range = this.rangeOf(query);
    const overview = await this.figures.atOneMoment(range, (progress) => this.overviewOf(tenantId, range, progress));
    answer(request, response, overview, () => overviewLines(overview));
  }

  private async reportOf(
    id: string,
    range: Range,
    granularity: NonNullable<ReportQuery['granularity']>,
    progress: Progress,
  ): Promise<AnalyticsReport> {
    const totals = (await this.figures.totals([id], range, progress)).get(id) ?? new Map<Day, Total>();
    const values = await this.figures.values(id, range, progress);
    const open = foldOpen(values.open);
    const shares = sharesOf([...values.closed, ...open]);
    const adopted = adoptedOf(shares);
    const versions = [
      ...(await this.figures.versions(id, range, adopted, progress)),
      ...open.filter(({ dimension }) => dimension === 'version'),
    ];
    return {
      ...range,
      granularity,
      days: daysOf(range, granularity, totals),
      shares,
      adoption: adoptionOf(range, granularity, adopted, versions, totals),
    };
  }

  private async overviewOf(tenantId: string, range: Range, progress: Progress): Promise<AnalyticsOverview> {
    const all = await this.extensions.namesOf(tenantId);
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

const overviewLines = ({ to, days, extensions }: AnalyticsOverview): readonly (readonly Cell[])[] => [
  ['date', 'extensionId', 'name', 'active', 'new', 'unique7', 'unique28'],
  ...days.map((day): Cell[] => [day.date, null, null, day.active, day.new, day.unique7, day.unique28]),
  ...extensions.map((one): Cell[] => [to, one.extensionId, one.name, one.active, one.new, one.unique7, one.unique28]),
];

/** JSON, unless CSV is preferred. */
function answer(request: Request, response: Response, body: object, lines: () => readonly (readonly Cell[])[]): void {
  response.vary('Accept');
  if (request.accepts('application/json', CSV) === CSV) response.type(CSV).send(csvOf(lines()));
  else response.json(body);
}
