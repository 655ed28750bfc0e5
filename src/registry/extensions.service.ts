import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { newRow, onConstraint, Transactions, Hook } from '../common/database/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../common/fields/index.js';
import { AccountsService } from '../identity/index.js';
import { ExtensionEntity } from './extension.entity.js';
import { nameKeyOf } from './name-key.js';
import type { CreateExtension, Extension, UpdateExtension } from './registry.dto.js';
import { DuplicateName, ExtensionNotFound, PlanLimitReached } from './registry.problems.js';

const DEFAULTS = { licensingEnabled: true, seatIdleDays: 30, offlineGraceDays: 7, analyticsEnabled: true } as const;

/** What other folders may know of an extension. */
export interface ExtensionRef {
  readonly id: string;
  readonly tenantId: string;
}

/** The extensions of each tenant. */
@Injectable()
export class ExtensionsService {
  /** Run inside the transaction that makes an extension. */
  readonly created = new Hook<ExtensionRef>();
  /** Run inside the transaction that changes one. */
  readonly updated = new Hook<ExtensionRef>();
  /** Run inside the transaction that deletes one, before its rows go. */
  readonly deleting = new Hook<ExtensionRef>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
  ) {}

  /** @throws PlanLimitReached, DuplicateName */
  async create(tenantId: string, input: CreateExtension): Promise<Extension> {
    return this.tx.run(async () => {
      await this.accounts.lockTenant(tenantId);
      const limit = await this.accounts.extensionLimit(tenantId);
      const extensions = this.tx.repository(ExtensionEntity);
      if (limit !== null && (await extensions.countBy({ tenantId })) >= limit) throw new PlanLimitReached(limit);
      const row = {
        ...newRow(this.clock.now()),
        ...DEFAULTS,
        tenantId,
        name: input.name,
        nameKey: nameKeyOf(input.name),
      };
      await this.unique(input.name, () => extensions.insert(row));
      await this.created.run(row);
      return toExtension(row);
    });
  }

  async list(tenantId: string, query: PageQuery): Promise<Page<Extension>> {
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(ExtensionEntity)
      .createQueryBuilder('extension')
      .where({ tenantId })
      .andWhere('extension.id < :after', { after })
      .orderBy('extension.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return toPage(rows, limit, toExtension);
  }

  /** All extensions of a tenant by name, for what is shown of them together. */
  async namesOf(tenantId: string): Promise<readonly { readonly id: string; readonly name: string }[]> {
    return this.tx.query('select id, name from extension where tenant_id = $1 order by name_key', [tenantId]);
  }

  /** @throws ExtensionNotFound */
  async get(tenantId: string, id: string): Promise<Extension> {
    return toExtension(await this.find(tenantId, id));
  }

  /** @throws ExtensionNotFound, DuplicateName */
  async update(tenantId: string, id: string, input: UpdateExtension): Promise<Extension> {
    return this.tx.run(async () => {
      const row = await this.find(tenantId, id, 'for update');
      const changed = Object.assign(row, {
        ...(input.name === undefined ? {} : { name: input.name, nameKey: nameKeyOf(input.name) }),
        licensingEnabled: input.licensing?.enabled ?? row.licensingEnabled,
        seatIdleDays: input.licensing?.seatIdleDays === undefined ? row.seatIdleDays : input.licensing.seatIdleDays,
        offlineGraceDays: input.licensing?.offlineGraceDays ?? row.offlineGraceDays,
        analyticsEnabled: input.analytics?.enabled ?? row.analyticsEnabled,
        updatedAt: this.clock.now(),
      });
      await this.unique(changed.name, () => this.tx.repository(ExtensionEntity).save(changed));
      await this.updated.run(changed);
      return toExtension(changed);
    });
  }

  /** Deletes an extension with its targets, artifacts, releases and events. @throws ExtensionNotFound, LicensesIssued */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      const row = await this.find(tenantId, id, 'for update');
      await this.deleting.run(row);
      await this.tx.repository(ExtensionEntity).delete({ id });
    });
  }

  /** Says that the extension is there and the tenant's. @throws ExtensionNotFound */
  async mustExist(tenantId: string, id: string): Promise<ExtensionRef> {
    return this.find(tenantId, id);
  }

  /** Lets those who pin versions of an extension take turns, until the transaction under way ends. @throws ExtensionNotFound */
  async takeTurns(id: string): Promise<void> {
    const rows = await this.tx.query('select id from extension where id = $1 for no key update', [id]);
    if (rows.length === 0) throw new ExtensionNotFound();
  }

  private async find(tenantId: string, id: string, lock?: 'for update'): Promise<ExtensionEntity> {
    const row = await this.tx.repository(ExtensionEntity).findOne({
      where: { id, tenantId },
      ...(lock === undefined ? {} : { lock: { mode: 'pessimistic_write' as const } }),
    });
    if (row === null) throw new ExtensionNotFound();
    return row;
  }

  private unique<T>(name: string, work: () => Promise<T>): Promise<T> {
    return onConstraint(work, { extension_tenant_id_name_key_key: () => new DuplicateName(name) });
  }
}

function toExtension(row: Omit<ExtensionEntity, 'tenant' | 'tenantId' | 'nameKey'>): Extension {
  return {
    id: row.id,
    name: row.name,
    licensing: {
      enabled: row.licensingEnabled,
      seatIdleDays: row.seatIdleDays,
      offlineGraceDays: row.offlineGraceDays,
    },
    analytics: { enabled: row.analyticsEnabled },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
