import { Injectable } from '@nestjs/common';
import { pageFrom } from '../../common/fields/index.js';
import { Precondition } from '../../common/http/index.js';
import { InvalidRequest, PreconditionFailed } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { LicenseNotFound, LicenseRevoked, TooManyLicenses } from '../licensing.problems.js';
import {
  devicesAllowed,
  type LicenseFilter,
  LicensesService,
  type ListedLicense,
  ListedLicensesRepository,
} from '../licenses/index.js';
import { bulkOutcome, bulkState, type BulkChange, type BulkFacts } from './bulk-rule.js';
import { BULK_PAGE, MAX_MATCHED, type BulkAnswer, type BulkLicense, type BulkLicenses } from './desk.dto.js';

/** Changes many licenses, each as if it were changed alone: in a transaction of its own, with its own entries in timeline and audit log. */
@Injectable()
export class LicenseBulkService {
  constructor(
    private readonly clock: Clock,
    private readonly listed: ListedLicensesRepository,
    private readonly licenses: LicensesService,
  ) {}

  /** Changes the next page of the licenses that match, or says what would change. */
  async change(tenantId: string, input: BulkLicenses): Promise<BulkAnswer> {
    const change = changeIn(input);
    const filter = await this.filterOf(tenantId, input);
    const now = this.clock.now();
    const matched = await this.listed.count(tenantId, filter, MAX_MATCHED + 1, now);
    if (matched > MAX_MATCHED) throw new TooManyLicenses(MAX_MATCHED);
    const query = { limit: BULK_PAGE, ...(input.cursor === undefined ? {} : { cursor: input.cursor }) };
    const { items: rows, nextCursor } = await pageFrom(
      query,
      (start) => this.listed.list(tenantId, filter, start, now),
      (row) => row,
    );
    const items: BulkLicense[] = [];
    for (const row of rows) {
      const facts = { ...row, maxActivations: devicesAllowed(row.maxActivations, row.planMaxActivations) };
      items.push(await this.changeOne(tenantId, change, row, facts, input.dryRun ?? false));
    }
    return { dryRun: input.dryRun ?? false, matched, items, nextCursor };
  }

  private async changeOne(
    tenantId: string,
    change: BulkChange,
    row: ListedLicense,
    facts: BulkFacts,
    isDryRun: boolean,
  ): Promise<BulkLicense> {
    const now = this.clock.now();
    const before = bulkState(facts, now);
    const { id, codeHint, buyerEmail } = row;
    const shown = { id, codeHint, buyerEmail, before };
    const decided = bulkOutcome(change, facts, now);
    if (isDryRun || decided.outcome !== 'changed') return { ...shown, ...decided };
    try {
      const { status, expiresAt, seats } = await this.apply(tenantId, row, change);
      return { ...shown, outcome: 'changed', after: { status, expiresAt, maxActivations: seats.max } };
    } catch (error) {
      // Another request has changed, revoked or deleted the license meanwhile.
      const isOvertaken = [PreconditionFailed, LicenseRevoked, LicenseNotFound].some((kind) => error instanceof kind);
      if (!isOvertaken) throw error;
      return { ...shown, outcome: 'refused', after: before };
    }
  }

  private apply(tenantId: string, row: ListedLicense, change: BulkChange): ReturnType<LicensesService['revoke']> {
    const { id } = row;
    const unchanged = Precondition.unchanged(row);
    switch (change.action) {
      case 'extend':
        return this.licenses.update(tenantId, id, { expiresAt: change.expiresAt.toISOString() }, unchanged);
      case 'raise':
        return this.licenses.update(tenantId, id, { maxActivations: change.maxActivations }, unchanged);
      default:
        return this.licenses[change.action](tenantId, id);
    }
  }

  private async filterOf(tenantId: string, { ids, filter }: BulkLicenses): Promise<LicenseFilter> {
    const conditions = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined);
    if ((ids === undefined) === (filter === undefined) || (filter !== undefined && conditions.length === 0))
      throw new InvalidRequest([
        { field: 'filter', message: 'must have at least one condition. Send either filter or ids, not both.' },
      ]);
    return filter === undefined ? { ids: ids ?? [] } : this.licenses.filterOf(tenantId, filter);
  }
}

/** @throws InvalidRequest when a field that the action requires is missing, or one that it does not use is set */
function changeIn({ action, expiresAt, maxActivations }: BulkLicenses): BulkChange {
  const wrong = (field: string, takes: boolean): Error =>
    new InvalidRequest([
      { field, message: takes ? `is required for the action ${action}.` : `is not allowed for the action ${action}.` },
    ]);
  if ((expiresAt === undefined) === (action === 'extend')) throw wrong('expiresAt', action === 'extend');
  if ((maxActivations === undefined) === (action === 'raise')) throw wrong('maxActivations', action === 'raise');
  if (action === 'extend') return { action, expiresAt: new Date(expiresAt ?? '') };
  if (action === 'raise') return { action, maxActivations: maxActivations ?? 1 };
  return { action };
}
