import { Injectable } from '@nestjs/common';
import { may, rolesWith, type Caller } from '../common/access/index.js';
import { Clock } from '../common/system/index.js';
import { newRow, timeOfChange, Transactions, Hook } from '../common/database/index.js';
import type { Precondition } from '../common/http/index.js';
import { pageFrom, type Page, type PageQuery } from '../common/fields/index.js';
import { AuditLog } from '../platform/audit/index.js';
import { orThrow } from '../common/problems/index.js';
import { AccountsService } from '../platform/accounts/index.js';
import { ExtensionsRepository, type ExtensionRow } from './extensions.repository.js';
import { nameKeyOf } from './name-key.js';
import type { CreateExtension, Extension, LicensingSettings, UpdateExtension } from './registry.dto.js';
import {
  ApprovalNeedsTwo,
  ApprovalSettingRefused,
  ExtensionNotFound,
  TenantPlanLimitReached,
} from './registry.problems.js';

const DEFAULTS = {
  licensingEnabled: true,
  seatIdleDays: 30,
  replacedCodeDays: 7,
  offlineGraceDays: 7,
  activationLink: false,
  analyticsEnabled: true,
  approvalRequired: false,
} as const;

/** An extension, as other folders refer to it. */
export interface ExtensionRef {
  readonly id: string;
  readonly tenantId: string;
}

/** An extension that requires approvals from now on, or no longer. */
export type ChangedApproval = ExtensionRef & Pick<ExtensionRow, 'approvalRequired'>;

/** The extensions of each tenant. */
@Injectable()
export class ExtensionsService {
  /** Runs inside the transaction that creates an extension. */
  readonly created = new Hook<ExtensionRef>();
  /** Runs inside the transaction that updates an extension. */
  readonly updated = new Hook<ExtensionRef>();
  /** Runs inside the transaction that changes whether an extension requires approvals. */
  readonly approvalChanged = new Hook<ChangedApproval>();
  /** Runs inside the transaction that deletes an extension, before its rows are deleted. */
  readonly beforeDelete = new Hook<ExtensionRef>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
    private readonly extensions: ExtensionsRepository,
    private readonly audit: AuditLog,
  ) {}

  async create(tenantId: string, input: CreateExtension): Promise<Extension> {
    return this.tx.run(async () => {
      const limit = await this.accounts.extensionLimit(tenantId);
      const count = (): Promise<number> => this.extensions.count(tenantId);
      if (limit !== null) await this.accounts.enforceLimit(tenantId, limit, count, TenantPlanLimitReached);
      const row = {
        ...newRow(this.clock.now()),
        ...DEFAULTS,
        tenantId,
        name: input.name,
        nameKey: nameKeyOf(input.name),
      };
      await this.extensions.insert(row);
      await this.created.run(row);
      await this.audit.record(tenantId, 'extension.created', row, { after: row });
      return toExtension(row);
    });
  }

  /** Lists the extensions that the caller may see, newest first. */
  async list({ tenantId, extensionIds }: Caller, query: PageQuery): Promise<Page<Extension>> {
    return pageFrom(query, (start) => this.extensions.list(tenantId, extensionIds, start), toExtension);
  }

  /** Lists the ids and names of all extensions of a tenant, by name. */
  listNames(tenantId: string): Promise<readonly { readonly id: string; readonly name: string }[]> {
    return this.extensions.listNames(tenantId);
  }

  /** Some of a tenant's extensions, by id. */
  async byId(tenantId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, Extension>> {
    const extensions = new Map<string, Extension>();
    for (const id of new Set(ids)) extensions.set(id, await this.get(tenantId, id));
    return extensions;
  }

  /** Finds an extension by its id alone, which every copy of it carries. */
  findPublic(id: string): Promise<(ExtensionRef & { readonly name: string }) | null> {
    return this.extensions.findPublic(id);
  }

  async get(tenantId: string, id: string): Promise<Extension> {
    return toExtension(orThrow(await this.extensions.find(tenantId, id), ExtensionNotFound));
  }

  async update(caller: Caller, id: string, input: UpdateExtension, expected: Precondition): Promise<Extension> {
    const { tenantId } = caller;
    return this.tx.run(async () => {
      const row = orThrow(await this.extensions.findForUpdate(tenantId, id), ExtensionNotFound);
      expected.check(row);
      const before = { ...row };
      const changed = Object.assign(row, {
        ...(input.name === undefined ? {} : { name: input.name, nameKey: nameKeyOf(input.name) }),
        ...licensingOf(row, input.licensing),
        analyticsEnabled: input.analytics?.enabled ?? row.analyticsEnabled,
        approvalRequired: input.approval?.required ?? row.approvalRequired,
        updatedAt: timeOfChange(row, this.clock.now()),
      });
      if (changed.approvalRequired !== before.approvalRequired) await this.assertMayRequire(caller, changed);
      await this.extensions.save(changed);
      await this.updated.run(changed);
      if (changed.approvalRequired !== before.approvalRequired) await this.approvalChanged.run(changed);
      await this.audit.record(tenantId, 'extension.updated', row, { before, after: changed });
      return toExtension(changed);
    });
  }

  /** Deletes an extension for a caller, who may not be allowed to where it requires approvals. */
  async deleteFor(caller: Caller, id: string, expected: Precondition): Promise<void> {
    await this.tx.run(async () => {
      await this.assertMayDetach(caller, id);
      await this.delete(caller.tenantId, id, expected);
    });
  }

  /** Deletes an extension with its targets, artifacts, releases and events. */
  async delete(tenantId: string, id: string, expected: Precondition): Promise<void> {
    await this.tx.run(async () => {
      const row = orThrow(await this.extensions.findForUpdate(tenantId, id), ExtensionNotFound);
      expected.check(row);
      await this.beforeDelete.run(row);
      await this.extensions.delete(id);
      await this.audit.record(tenantId, 'extension.deleted', row, { before: row });
    });
  }

  /** Returns an extension of the tenant. */
  async getOrThrow(tenantId: string, id: string): Promise<ExtensionRef> {
    return orThrow(await this.extensions.find(tenantId, id), ExtensionNotFound);
  }

  /** Who may push could otherwise push, turn it off, and turn it on again. @throws ApprovalSettingRefused, ApprovalNeedsTwo */
  private async assertMayRequire(caller: Caller, { approvalRequired }: ExtensionRow): Promise<void> {
    if (!mayManageApprovals(caller)) throw new ApprovalSettingRefused();
    if (!approvalRequired) return;
    const publishers = await this.accounts.countMembers(caller.tenantId, rolesWith('artifacts:write'));
    if (publishers < 2) throw new ApprovalNeedsTwo(publishers);
  }

  /** Who may push could otherwise get rid of what makes an item require approvals. @throws ApprovalSettingRefused */
  async assertMayDetach(caller: Caller, id: string): Promise<void> {
    const extension = await this.extensions.find(caller.tenantId, id);
    if (extension?.approvalRequired === true && !mayManageApprovals(caller)) throw new ApprovalSettingRefused();
  }

  /** Makes transactions that pin versions of an extension wait for each other. */
  async lock(id: string): Promise<void> {
    orThrow(await this.extensions.findForNoKeyUpdate(id), ExtensionNotFound);
  }
}

const mayManageApprovals = (caller: Caller): boolean => caller.actor.kind === 'user' && may(caller, 'members:write');

/** The licensing of an extension after a change. */
const licensingOf = (row: ExtensionRow, change: LicensingSettings = {}) => ({
  licensingEnabled: change.enabled ?? row.licensingEnabled,
  seatIdleDays: change.seatIdleDays === undefined ? row.seatIdleDays : change.seatIdleDays,
  replacedCodeDays: change.replacedCodeDays ?? row.replacedCodeDays,
  offlineGraceDays: change.offlineGraceDays ?? row.offlineGraceDays,
  activationLink: change.activationLink ?? row.activationLink,
});

function toExtension(row: Omit<ExtensionRow, 'tenantId' | 'nameKey'>): Extension {
  return {
    id: row.id,
    name: row.name,
    licensing: {
      enabled: row.licensingEnabled,
      seatIdleDays: row.seatIdleDays,
      replacedCodeDays: row.replacedCodeDays,
      offlineGraceDays: row.offlineGraceDays,
      activationLink: row.activationLink,
    },
    analytics: { enabled: row.analyticsEnabled },
    approval: { required: row.approvalRequired },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
