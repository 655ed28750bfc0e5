import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { uuidOrNil } from '../../common/fields/index.js';
import { RequestPipe } from '../../common/http/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { CodesService } from '../codes/index.js';
import {
  CodeTaken,
  importSource,
  ISSUED_BY_HAND,
  type AddedLicense,
  type LicenseEntity,
  LicenseLifecycleService,
  LicensesRepository,
  type NewLicense,
} from '../licenses/index.js';
import { type LicensePlanEntity, LicensePlansRepository } from '../plans/index.js';
import { ImportLine } from './desk.dto.js';
import { decideLines, type Decision, type IdentifiedLine } from './decide-lines.js';
import type { ReadLine } from './import-line.js';

/** What the lines of one import share. */
export interface ImportContext {
  readonly tenantId: string;
  readonly extensionId: string;
  readonly plans: ReadonlyMap<string, LicensePlanEntity>;
  /** When the import began. */
  readonly since: Date;
}

/** What became of a line, or would. */
export interface LineResult {
  /** Its number in the file; the first one is 1. */
  readonly line: number;
  /** It made a license, or one with its code or order exists and stays as it is, or it has a fault. */
  readonly outcome: 'created' | 'exists' | 'fault';
  /** Null for a fault, and for a license that a preview would make. */
  readonly licenseId: string | null;
  /** The new code for a line without one. */
  readonly code: string | null;
  /** What is wrong with the line. */
  readonly message: string | null;
}

/** A line that has no fault of its own. */
interface Line extends IdentifiedLine {
  readonly input: ImportLine;
  readonly plan: LicensePlanEntity;
}

type Valid = Omit<Line, 'line'>;

/** Lines that one transaction imports: enough that statements cost little for each, few enough that nobody waits long for a lock. */
export const LINES_TOGETHER = 500;
/** Lines that are read at a time; other requests run in between. */
const READ_AT_ONCE = 50;
const ATTEMPTS = 3;
const PIPE = new RequestPipe();

/**
 * Makes licenses of lines of a file, many with each statement. A line is a license by its code or its order, so that repeating an import makes
 * none twice.
 */
@Injectable()
export class ImportLinesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodesService,
    private readonly plans: LicensePlansRepository,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly audit: AuditLog,
  ) {}

  /** Reads what the lines of an import share. */
  async contextOf(tenantId: string, extensionId: string, since = this.clock.now()): Promise<ImportContext> {
    const plans = await this.plans.listOf(extensionId);
    return { tenantId, extensionId, since, plans: new Map(plans.map((plan) => [plan.tier, plan])) };
  }

  /** Says what would become of lines. @param seen the lines of the file before these, to which these are added */
  async preview(
    context: ImportContext,
    lines: readonly ReadLine[],
    seen: Map<string, number>,
  ): Promise<readonly LineResult[]> {
    const { valid, faults } = await this.validate(context, lines);
    return resultsOf(lines, faults, await this.decide(context, valid, seen), new Map());
  }

  /**
   * Makes licenses of lines in one transaction. Another import may make some of them meanwhile, which are then found.
   * @param withResults more work of the same transaction
   */
  async import<Result>(
    context: ImportContext,
    lines: readonly ReadLine[],
    withResults: (results: readonly LineResult[]) => Promise<Result>,
  ): Promise<Result> {
    const { valid, faults } = await this.validate(context, lines);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.tx.run(async () => {
          const decided = await this.decide(context, valid, new Map());
          return withResults(resultsOf(lines, faults, decided, await this.create(context, decided)));
        });
      } catch (error) {
        if (!(error instanceof CodeTaken) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  private async validate(context: ImportContext, lines: readonly ReadLine[]) {
    const [valid, faults] = [[] as Line[], [] as LineResult[]];
    for (const [at, { line, cells }] of lines.entries()) {
      if (at % READ_AT_ONCE === 0) await setImmediate();
      const read = this.read(context, cells);
      if (typeof read === 'string') faults.push(fault(line, read));
      else valid.push({ ...read, line });
    }
    return { valid, faults };
  }

  /** @returns what is wrong with a line, or the line */
  private read({ extensionId, plans }: ImportContext, cells: ReadLine['cells']): string | Valid {
    try {
      const input = PIPE.transform(withJson(cells), { type: 'body', metatype: ImportLine }) as ImportLine;
      const { code, order } = input;
      const plan = plans.get(input.tier);
      if (plan === undefined) return `The extension has no plan for the tier ${input.tier}.`;
      if (code === undefined && order === undefined)
        return 'A line needs a code or an order, by which it is recognized when the import is repeated.';
      const symbols = code === undefined ? null : this.codes.read(extensionId, code);
      if (code !== undefined && symbols === null)
        return 'code: must be a Pierhead code, or 16 to 512 letters, digits and symbols that are hard to guess. Codes of 24 to 26 letters and digits are refused, because they look like mistyped Pierhead codes.';
      const digests = symbols === null ? [] : this.codes.possibleDigests(symbols);
      const stored = symbols === null ? null : this.codes.digestOf(symbols);
      const keys = { digests: digests.map((one) => one.toString('hex')), order: order ?? null };
      return { input, plan, stored, ...keys };
    } catch (error) {
      if (error instanceof InvalidRequest) return error.message;
      throw error;
    }
  }

  private async decide(
    { tenantId, extensionId, since }: ImportContext,
    lines: readonly Line[],
    seen: Map<string, number>,
  ): Promise<readonly Decision<Line>[]> {
    const digests = lines.flatMap((line) => line.digests.map((one) => Buffer.from(one, 'hex')));
    const orders = lines.flatMap(({ order }) => order ?? []);
    const ids = orders.filter((order) => uuidOrNil(order) === order);
    const ofCodes = await this.licenses.findByCodes(digests);
    const ofOrders = await this.licenses.findOfSources(tenantId, orders.map(importSource));
    const ofIds = (await this.licenses.findAll(ids)).filter((one) => one.tenantId === tenantId);
    return decideLines(lines, { ofCodes, ofOrders, ofIds }, { tenantId, extensionId, since }, seen);
  }

  /** Makes the licenses that are wanted. @returns them by their lines */
  private async create(
    { tenantId }: ImportContext,
    decided: readonly Decision<Line>[],
  ): Promise<ReadonlyMap<number, AddedLicense>> {
    const wanted = decided.filter((one) => one.kind === 'new');
    const added = await this.lifecycle.addAll(
      wanted.map(({ line, order }) => ({ license: this.licenseOf(tenantId, line, order), storedCode: line.stored })),
    );
    await this.audit.recordAll(
      tenantId,
      'license.imported',
      added.map(({ license }) => ({ subject: license, after: license })),
    );
    return new Map(added.map((one, at) => [wanted[at]?.line.line ?? 0, one]));
  }

  private licenseOf(tenantId: string, { input, plan }: Line, order: string | null): NewLicense {
    return {
      tenantId,
      plan,
      source: order === null ? ISSUED_BY_HAND : importSource(order),
      buyerEmail: input.email,
      expiresAt: input.expiresAt === undefined ? null : new Date(input.expiresAt),
      maxActivations: input.maxActivations ?? null,
      entitlements: input.entitlements ?? [],
      metadata: input.metadata ?? {},
      initialState: this.initialState(input.status),
    };
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

/** The cells with metadata as the object that a request would have, or as it is where it is none, which the field then refuses. */
function withJson(cells: ReadLine['cells']): object {
  const { metadata } = cells;
  try {
    return metadata === undefined ? cells : { ...cells, metadata: JSON.parse(metadata) as unknown };
  } catch {
    return cells;
  }
}

const fault = (line: number, message: string): LineResult => ({
  line,
  outcome: 'fault',
  licenseId: null,
  code: null,
  message,
});

/** The results in the order of the lines. */
function resultsOf(
  lines: readonly ReadLine[],
  faults: readonly LineResult[],
  decided: readonly Decision<Line>[],
  added: ReadonlyMap<number, AddedLicense>,
): readonly LineResult[] {
  const results = decided.map((decision): LineResult => {
    const { line } = decision.line;
    if (decision.kind === 'foreign') return fault(line, 'The code or order belongs to a license of another extension.');
    const { license, code = null } = added.get(line) ?? {};
    if (decision.kind === 'new')
      return { line, outcome: 'created', licenseId: license?.id ?? null, code, message: null };
    const licenseId = decision.licenseId ?? added.get(decision.sameAs ?? 0)?.license.id ?? null;
    return { line, outcome: 'exists', licenseId, code: null, message: null };
  });
  const byLine = new Map([...faults, ...results].map((one) => [one.line, one]));
  return lines.flatMap(({ line }) => byLine.get(line) ?? []);
}
