import { Injectable } from '@nestjs/common';
import { may, type Caller } from '../../../common/access/index.js';
import { Clock, DAY_MS } from '../../../common/system/index.js';
import { compared, comparedSales } from './figures.js';
import { HomeRepository } from './home.repository.js';
import type { OverviewWeek } from './week.dto.js';

const WEEK_MS = 7 * DAY_MS;

/** Figures of the last week of a tenant, compared with those of the week before. */
@Injectable()
export class WeekService {
  constructor(
    private readonly clock: Clock,
    private readonly home: HomeRepository,
  ) {}

  /** Shows the figures that the caller may read. */
  async show(caller: Caller): Promise<OverviewWeek> {
    const { tenantId, extensionIds } = caller;
    const until = new Date(Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS);
    const from = new Date(until.getTime() - WEEK_MS);
    const weeks = { before: new Date(from.getTime() - WEEK_MS), from, until };
    const maySell = extensionIds === null && may(caller, 'licenses:read');
    const [installs, sales, licenses] = await Promise.all([
      may(caller, 'analytics:read') ? this.home.installs(tenantId, extensionIds, weeks) : null,
      maySell ? this.home.sales(tenantId, weeks) : null,
      maySell ? this.home.licenses(tenantId, weeks) : null,
    ]);
    return {
      from: dayOf(from),
      to: dayOf(new Date(until.getTime() - DAY_MS)),
      installs: installs === null ? null : compared(installs.value, installs.before),
      sales: sales === null ? null : comparedSales(sales),
      licenses: licenses === null ? null : compared(licenses.value, licenses.before),
    };
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
