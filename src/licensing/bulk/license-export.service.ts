import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { csvOf, type Cell } from '../../common/http/index.js';
import { batchesOf, type PageStart } from '../../common/fields/index.js';
import { Standby } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import {
  type License,
  type LicenseFilter,
  ListedLicensesRepository,
  type LicenseSelection,
  LicensesService,
  toLicense,
} from '../licenses/index.js';

type Column =
  | Exclude<
      keyof License,
      'renewsAt' | 'renewalLeewayHours' | 'maxActivations' | 'maxMembers' | 'seatsPerMember' | 'seats' | 'team'
    >
  | 'seatsUsed'
  | 'seatsMax'
  | 'members'
  | 'maxMembers';

/** The columns, and what each holds. */
const COLUMNS: Readonly<Record<Column, (license: License) => Cell>> = {
  id: ({ id }) => id,
  extensionId: ({ extensionId }) => extensionId,
  planId: ({ planId }) => planId,
  tier: ({ tier }) => tier,
  buyerEmail: ({ buyerEmail }) => buyerEmail,
  codeHint: ({ codeHint }) => codeHint,
  status: ({ status }) => status,
  suspendedFor: ({ suspendedFor }) => suspendedFor,
  revokedFor: ({ revokedFor }) => revokedFor,
  expiresAt: ({ expiresAt }) => expiresAt?.toISOString() ?? null,
  renews: ({ renews }) => (renews ? 'true' : 'false'),
  duration: ({ duration }) => duration,
  graceDays: ({ graceDays }) => graceDays,
  onEnd: ({ onEnd }) => onEnd,
  seatsUsed: ({ seats }) => seats.used,
  seatsMax: ({ seats }) => seats.max,
  members: ({ team }) => team?.members ?? null,
  maxMembers: ({ team }) => team?.maxMembers ?? null,
  source: ({ source }) => source,
  delivery: ({ delivery }) => delivery,
  isTest: ({ isTest }) => (isTest ? 'true' : 'false'),
  campaign: ({ campaign }) => campaign,
  entitlements: ({ entitlements }) => entitlements.join(' '),
  metadata: ({ metadata }) => (Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)),
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  updatedAt: ({ updatedAt }) => updatedAt.toISOString(),
};

/** Most licenses that the audit log counts of an export: more than a tenant has. */
const MOST_COUNTED = 10_000_000;

/** Exports licenses. */
@Injectable()
export class LicenseExportService {
  constructor(
    private readonly clock: Clock,
    private readonly listed: ListedLicensesRepository,
    private readonly licenses: LicensesService,
    private readonly standby: Standby,
    private readonly audit: AuditLog,
  ) {}

  /** Streams the tenant's licenses as CSV, newest first: a stretch at a time, as fast as they are taken. */
  async export(tenantId: string, selection: LicenseSelection): Promise<StreamableFile> {
    const filter = await this.licenses.filterOf(tenantId, selection);
    const count = await this.standby.read(() => this.listed.count(tenantId, filter, MOST_COUNTED, this.clock.now()));
    const { extension: extensionId } = selection;
    await this.audit.recordRead(
      tenantId,
      'tenant.licenses_exported',
      { id: tenantId, extensionId },
      { ...selection },
      count,
    );
    const lines = Readable.from(this.lines(tenantId, filter));
    return new StreamableFile(lines, { type: 'text/csv', disposition: 'attachment; filename="licenses.csv"' });
  }

  private async *lines(tenantId: string, filter: LicenseFilter): AsyncGenerator<string> {
    yield csvOf([Object.keys(COLUMNS)]);
    // One moment for all, so that no license is shown with another status than it was chosen by.
    const now = this.clock.now();
    const read = (start: PageStart) => this.standby.read(() => this.listed.list(tenantId, filter, start, now));
    for await (const rows of batchesOf(read)) {
      const shown = rows.map((row) => toLicense(row, now));
      yield csvOf(shown.map((license) => Object.values(COLUMNS).map((cellOf) => cellOf(license))));
    }
  }
}
