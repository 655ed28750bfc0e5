import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newRow, onConstraint, Transactions } from '../common/database/index.js';
import { InvalidRequest, NothingToUpdate } from '../common/problems/index.js';
import { CredentialNotFound, CredentialsService } from '../credentials/index.js';
import { EventsService, ExtensionsService, type ExtensionRef } from '../registry/index.js';
import { notSupportedYet, Stores, type Store, type StoreId } from '../stores/index.js';
import { missingOf, restingPhase } from './phase.js';
import { TargetEntity } from './target.entity.js';
import type { Target, TargetList, UpdateTarget } from './targets.dto.js';
import { TargetNotFound } from './targets.problems.js';

const SETTABLE = ['storeItemId', 'crxId', 'credentialId', 'enabled', 'platforms', 'onPending'] as const;

/** What a push needs to know of a place where its version would go. */
export interface Destination {
  readonly targetId: string;
  readonly store: StoreId;
  readonly enabled: boolean;
  readonly liveVersion: string | null;
  readonly submittedVersion: string | null;
}

/** Where each extension is to be published. */
@Injectable()
export class TargetsService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly events: EventsService,
    private readonly credentials: CredentialsService,
    private readonly stores: Stores,
  ) {}

  onModuleInit(): void {
    this.extensions.created.add((extension) => this.addDefaults(extension));
    this.credentials.rotated.add(({ id }) => this.resume(id));
  }

  /** The extension's targets, in the order of the stores. @throws ExtensionNotFound */
  async list(tenantId: string, extensionId: string): Promise<TargetList> {
    await this.extensions.mustExist(tenantId, extensionId);
    const rows = await this.tx.repository(TargetEntity).findBy({ extensionId });
    const order = this.stores.all.map(({ id }) => id);
    rows.sort((one, other) => order.indexOf(one.store) - order.indexOf(other.store) || (one.id < other.id ? -1 : 1));
    return { targets: rows.map(toTarget) };
  }

  /** @throws ExtensionNotFound, TargetNotFound */
  async get(tenantId: string, extensionId: string, id: string): Promise<Target> {
    await this.extensions.mustExist(tenantId, extensionId);
    return toTarget(await this.find(extensionId, id));
  }

  /** @throws ExtensionNotFound, TargetNotFound, CredentialNotFound, NothingToUpdate, InvalidRequest */
  async update(tenantId: string, extensionId: string, id: string, input: UpdateTarget): Promise<Target> {
    return this.tx.run(async () => {
      await this.extensions.mustExist(tenantId, extensionId);
      const row = await this.find(extensionId, id, 'for update');
      const store = this.stores.for(row.store);
      await this.mustFit(tenantId, store, input);
      const changed = SETTABLE.filter((name) => input[name] !== undefined && !isSame(input[name], row[name]));
      if (changed.length === 0) throw new NothingToUpdate();
      for (const name of changed) Object.assign(row, { [name]: input[name] });
      if (changed.includes('storeItemId')) Object.assign(row, { liveVersion: null, submittedVersion: null });
      if (row.enabled && (changed.includes('enabled') || changed.includes('storeItemId')))
        row.enabledAt = this.clock.now();
      this.rest(row, store);
      // The credential may have been deleted since it was looked up.
      await onConstraint(() => this.tx.repository(TargetEntity).save(row), {
        target_credential_id_fkey: () => new CredentialNotFound(),
      });
      await this.events.append({
        extensionId,
        targetId: id,
        kind: 'target_changed',
        message: `${store.title}: ${changed.join(', ')} changed.`,
        data: Object.fromEntries(changed.map((name) => [name, row[name]])),
      });
      return toTarget(row);
    });
  }

  /** Where a version of the extension would go: every target, or those of one store. */
  async destinations(extensionId: string, store: StoreId | null): Promise<readonly Destination[]> {
    const rows = await this.tx.repository(TargetEntity).findBy({ extensionId, ...(store === null ? {} : { store }) });
    return rows.map(({ id, ...row }) => ({ targetId: id, ...row }));
  }

  /** Makes targets due at once because a version was pinned; part of the push's transaction. */
  async pinned(extensionId: string, store: StoreId | null, version: string): Promise<void> {
    await this.tx.query(
      `update target
          set desired_version = $3, failures = 0, looks = 0, updated_at = $4,
              next_check_at = case when next_check_at is null then null else greatest($4, not_before) end
        where extension_id = $1 and ($2::text is null or store = $2)`,
      [extensionId, store, version, this.clock.now()],
    );
  }

  /** A rotated credential ends every wait that an old one caused. */
  private async resume(credentialId: string): Promise<void> {
    await this.tx.query(
      'update target set next_check_at = $2, not_before = null, failures = 0, looks = 0 where credential_id = $1 and next_check_at is not null',
      [credentialId, this.clock.now()],
    );
  }

  private async addDefaults({ id: extensionId }: ExtensionRef): Promise<void> {
    const rows = this.stores.all.map((store) => {
      const row = Object.assign(new TargetEntity(), newRow(this.clock.now()), {
        extensionId,
        store: store.id,
        storeItemId: null,
        crxId: null,
        credentialId: null,
        enabled: false,
        platforms: [...store.capabilities.defaultPlatforms],
        onPending: 'wait',
        phase: 'disabled',
        failures: 0,
        looks: 0,
      });
      this.rest(row, store);
      return row;
    });
    await this.tx.repository(TargetEntity).insert(rows);
  }

  /** Puts a target whose settings changed into the phase that follows from them, due at once if its store can be asked. */
  private rest(row: TargetEntity, store: Store): void {
    const now = this.clock.now();
    const { phase, message, isDrivable } = restingPhase(row, store.isSupported ? null : notSupportedYet(store));
    const nextCheckAt = isDrivable ? new Date(Math.max(now.getTime(), row.notBefore?.getTime() ?? 0)) : null;
    Object.assign(row, { phase, message, nextCheckAt, failures: 0, looks: 0, updatedAt: now });
  }

  private async mustFit(tenantId: string, store: Store, input: UpdateTarget): Promise<void> {
    const { platforms, canCancel, supersedesPending } = store.capabilities;
    const strange = input.platforms?.find((platform) => !platforms.includes(platform));
    if (strange !== undefined)
      throw new InvalidRequest([
        { field: 'platforms', message: `must hold only ${platforms.join(', ')} for ${store.title}.` },
      ]);
    if (input.onPending === 'replace' && !canCancel && !supersedesPending)
      throw new InvalidRequest([
        { field: 'onPending', message: `${store.title} cannot withdraw a submission; only wait is possible.` },
      ]);
    if (input.credentialId == null) return;
    const credential = await this.credentials.mustExist(tenantId, input.credentialId);
    if (credential.store !== store.id)
      throw new InvalidRequest([
        { field: 'credentialId', message: `is a credential for ${credential.store}, not for ${store.id}.` },
      ]);
  }

  private async find(extensionId: string, id: string, lock?: 'for update'): Promise<TargetEntity> {
    const row = await this.tx.repository(TargetEntity).findOne({
      where: { id, extensionId },
      ...(lock === undefined ? {} : { lock: { mode: 'pessimistic_write' as const } }),
    });
    if (row === null) throw new TargetNotFound();
    return row;
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((entry) => other.includes(entry))
    : one === other;

function toTarget(row: TargetEntity): Target {
  return {
    id: row.id,
    extensionId: row.extensionId,
    store: row.store,
    storeItemId: row.storeItemId,
    crxId: row.crxId,
    credentialId: row.credentialId,
    enabled: row.enabled,
    platforms: row.platforms,
    onPending: row.onPending,
    status: {
      phase: row.phase,
      desiredVersion: row.desiredVersion,
      liveVersion: row.liveVersion,
      submittedVersion: row.submittedVersion,
      message: row.message,
      missing: missingOf(row),
      checkedAt: row.checkedAt,
      nextCheckAt: row.nextCheckAt,
      failures: row.failures,
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
