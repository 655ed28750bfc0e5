import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/index.js';
import { Transactions } from '../../common/database/index.js';
import { RequestPipe, type ReadCsvBody } from '../../common/http/index.js';
import { invalidBody, InvalidRequest } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import { CodesService, type StoredCode } from '../codes/index.js';
import {
  CodeTaken,
  importSource,
  ISSUED_BY_HAND,
  type LicenseEntity,
  LicenseLifecycleService,
  LicensesRepository,
} from '../licenses/index.js';
import { type LicensePlanEntity, LicensePlansRepository } from '../plans/index.js';
import { ImportLine, MAX_LINES, type ImportedLine, type ImportLicenses, type LicenseImport } from './desk.dto.js';
import { readLines, type ReadLine } from './import-line.js';

/** Facts that the lines of one import share. */
interface ImportContext {
  readonly tenantId: string;
  readonly extensionId: string;
  readonly isDryRun: boolean;
  readonly plans: ReadonlyMap<string, LicensePlanEntity>;
  /** Codes and orders of a preview, which leaves none in the database. */
  readonly seen: Set<string>;
}

const PIPE = new RequestPipe();

/** Imports licenses of another tool. A line is a license by its code or its order, so that repeating an import makes none twice. */
@Injectable()
export class LicenseImportService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodesService,
    private readonly extensions: ExtensionsService,
    private readonly plans: LicensePlansRepository,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly events: EventsService,
    private readonly audit: AuditLog,
  ) {}

  /** Imports a license for each line, in a transaction of its own, or says why not. */
  async import(
    tenantId: string,
    { extension, dryRun: isDryRun = false }: ImportLicenses,
    readRows: ReadCsvBody,
  ): Promise<LicenseImport> {
    const { id: extensionId } = await this.extensions.getOrThrow(tenantId, extension);
    const read = readLines(await readRows());
    if (typeof read === 'string') throw invalidBody(read);
    if (read.length > MAX_LINES) throw invalidBody(`An import has at most ${MAX_LINES} lines. Split the file.`);
    const plans = new Map((await this.plans.listOf(extensionId)).map((plan) => [plan.tier, plan]));
    const context: ImportContext = { tenantId, extensionId, isDryRun, plans, seen: new Set() };
    const lines: ImportedLine[] = [];
    const count = (outcome: ImportedLine['outcome']): number => lines.filter((one) => one.outcome === outcome).length;
    try {
      for (const one of read)
        lines.push({
          ...NO_RESULT,
          line: one.line,
          email: one.cells['email'] ?? null,
          ...(await this.importLine(context, one)),
        });
    } finally {
      if (!isDryRun) await this.addEvent(extensionId, count('created'));
    }
    return { dryRun: isDryRun, created: count('created'), existing: count('exists'), faults: count('fault'), lines };
  }

  /** Adds one event for a whole import, which would otherwise push everything else out of the timeline. The audit log names each license. */
  private async addEvent(extensionId: string, created: number): Promise<void> {
    if (created === 0) return;
    const message = created === 1 ? '1 license was imported.' : `${created} licenses were imported.`;
    await this.events.append({ extensionId, kind: 'license_imported', message, data: { created } });
  }

  private async importLine(context: ImportContext, { cells }: ReadLine): Promise<Outcome> {
    try {
      const line = PIPE.transform(cells, { type: 'body', metatype: ImportLine }) as ImportLine;
      const plan = context.plans.get(line.tier);
      if (plan === undefined) return fault(`The extension has no plan for the tier ${line.tier}.`);
      if (line.code === undefined && line.order === undefined)
        return fault('A line needs a code or an order, by which it is recognized when the import is repeated.');
      const symbols = line.code === undefined ? null : this.codes.read(context.extensionId, line.code);
      if (line.code !== undefined && symbols === null)
        return fault(
          'code: must be a Pierhead code, or 16 to 100 letters, digits and symbols that are hard to guess. Codes of 24 to 26 letters and digits are refused, because they look like mistyped Pierhead codes.',
        );
      // A license that another request inserted meanwhile is found at the second try.
      return await this.findOrCreate(context, line, plan, symbols).catch((error: unknown) => {
        if (error instanceof CodeTaken) return this.findOrCreate(context, line, plan, symbols);
        throw error;
      });
    } catch (error) {
      if (error instanceof InvalidRequest) return fault(error.message);
      throw error;
    }
  }

  private async findOrCreate(
    context: ImportContext,
    line: ImportLine,
    plan: LicensePlanEntity,
    symbols: string | null,
  ): Promise<Outcome> {
    const { tenantId, extensionId, isDryRun, seen } = context;
    const source = line.order === undefined ? ISSUED_BY_HAND : importSource(line.order);
    const digests = symbols === null ? [] : this.codes.possibleDigests(symbols);
    const keys = [...digests.map((digest) => digest.toString('hex')), ...(line.order === undefined ? [] : [source])];
    if (keys.some((key) => seen.has(key))) return { outcome: 'exists' };
    return this.tx.run(async () => {
      const ofCode = digests.length === 0 ? null : await this.licenses.findByCode(digests);
      const existing = ofCode ?? (await this.licenses.findOfSources(tenantId, [source]))[0];
      if (existing !== undefined && (existing.tenantId !== tenantId || existing.extensionId !== extensionId))
        return fault('The code or order belongs to a license of another extension.');
      if (existing !== undefined) return { outcome: 'exists', licenseId: existing.id };
      if (isDryRun) {
        for (const key of keys) seen.add(key);
        return { outcome: 'created' };
      }
      return this.create({ tenantId, plan, source }, line, symbols === null ? null : this.codes.digestOf(symbols));
    });
  }

  private async create(
    wanted: { readonly tenantId: string; readonly plan: LicensePlanEntity; readonly source: string },
    line: ImportLine,
    storedCode: StoredCode | null,
  ): Promise<Outcome> {
    const license = {
      ...wanted,
      buyerEmail: line.email,
      expiresAt: line.expiresAt === undefined ? null : new Date(line.expiresAt),
      maxActivations: line.maxActivations ?? null,
      entitlements: line.entitlements ?? [],
      metadata: line.metadata ?? {},
      initialState: this.initialState(line.status),
    };
    const issue =
      storedCode === null
        ? await this.lifecycle.issue(license)
        : { license: await this.lifecycle.add(license, storedCode), code: null };
    await this.audit.record(wanted.tenantId, 'license.imported', issue.license, { after: issue.license });
    return { outcome: 'created', licenseId: issue.license.id, code: issue.code };
  }

  private initialState(status: ImportLine['status']): Pick<LicenseEntity, 'suspendedFor' | 'revokedAt' | 'revokedFor'> {
    const isRevoked = status === 'revoked';
    return {
      suspendedFor: status === 'suspended' ? ['tenant'] : [],
      revokedAt: isRevoked ? this.clock.now() : null,
      revokedFor: isRevoked ? 'tenant' : null,
    };
  }
}

type Outcome = Pick<ImportedLine, 'outcome'> & Partial<ImportedLine>;

const NO_RESULT = { licenseId: null, code: null, message: null };

const fault = (message: string): Outcome => ({ outcome: 'fault', message });
