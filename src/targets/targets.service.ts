import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access/index.js';
import { Clock } from '../common/system/index.js';
import { timeOfChange, Transactions, Hook } from '../common/database/index.js';
import type { Precondition } from '../common/http/index.js';
import { InvalidRequest, NothingToUpdate, orThrow, TokenRestricted } from '../common/problems/index.js';
import { byStore, Stores, type Store } from '../stores/index.js';
import { AuditLog, type Action } from '../platform/audit/index.js';
import { EventsService, ExtensionsService } from '../registry/index.js';
import { rescheduled } from './status/target-status.js';
import { TargetCredentialsService } from './target-credentials.service.js';
import { NewTargetsService } from './new-targets.service.js';
import { requestRefusal } from './target-requests.js';
import { TargetViewsService } from './target-views.service.js';
import { SETTINGS, unsupportedSettings } from './unsupported-settings.js';
import type { TargetEntity } from './target.entity.js';
import type { TargetWithStatus } from './status/target-status.entity.js';
import { TargetsRepository } from './targets.repository.js';
import type { CreateTarget, Target, TargetList, UpdateTarget } from './targets.dto.js';
import { NothingToRelease, NothingToResubmit, TargetNotFound } from './targets.problems.js';

/** The column of a setting. */
const columnOf = (setting: keyof UpdateTarget): keyof TargetWithStatus =>
  setting === 'release' ? 'releaseMode' : setting;

/** Known state of the place to which a target published before, which says nothing about the next one. */
const NOTHING_LIVE = {
  liveVersion: null,
  fileDigest: null,
  offeredPercent: null,
  offeredSince: null,
  liveByPierhead: false,
} as const;
const NOTHING_KNOWN = { ...NOTHING_LIVE, submittedVersion: null, releaseRequested: null } as const;

type TargetAction = Extract<Action, `target.${string}`>;

/** A target that is to get its pinned version: because somebody resubmits it, or enables or moves the target. */
export interface SentTarget {
  readonly target: TargetWithStatus;
  readonly act: 'resubmit' | 'enable';
}

/** A target with the settings that have new values. */
interface ChangedSettings {
  readonly target: Pick<TargetEntity, 'id' | 'fileWatched'>;
  readonly changed: readonly (keyof UpdateTarget)[];
}

/** The targets of extensions. */
@Injectable()
export class TargetsService {
  /** Run inside the transaction that gives a target another public id. */
  readonly publicIdChanged = new Hook<Pick<TargetEntity, 'id' | 'storeItemId'>>();
  /** Run inside the transaction that points a target at another item or channel. */
  readonly itemChanged = new Hook<Pick<TargetEntity, 'id'>>();
  /** Run inside the transaction that changes settings of a target. */
  readonly settingsChanged = new Hook<ChangedSettings>();
  /** Run inside the transaction by which a target is to get its pinned version again, or at all. */
  readonly sent = new Hook<SentTarget>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly targets: TargetsRepository,
    private readonly newTargets: NewTargetsService,
    private readonly extensions: ExtensionsService,
    private readonly events: EventsService,
    private readonly credentials: TargetCredentialsService,
    private readonly stores: Stores,
    private readonly audit: AuditLog,
    private readonly views: TargetViewsService,
  ) {}

  /** The extension's targets, in the order of the stores. */
  async list(caller: Caller, extensionId: string): Promise<TargetList> {
    await this.extensions.getOrThrow(caller.tenantId, extensionId);
    const rows = await this.targets.findAll(extensionId);
    // The repository orders by id, which sort() keeps among the targets of one store.
    rows.sort(byStore);
    return { targets: await this.views.of(caller, rows) };
  }

  async get(caller: Caller, extensionId: string, id: string): Promise<Target> {
    await this.extensions.getOrThrow(caller.tenantId, extensionId);
    return this.read(caller, extensionId, id);
  }

  /** @throws ExtensionNotFound, TargetNotFound */
  async getOrThrow(tenantId: string, extensionId: string, id: string): Promise<TargetWithStatus> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    return orThrow(await this.targets.find(extensionId, id), TargetNotFound);
  }

  /** Adds a target. */
  async create(caller: Caller, extensionId: string, { store: storeId, ...input }: CreateTarget): Promise<Target> {
    const { tenantId } = caller;
    assertMayConnect(caller, input);
    return this.tx.run(async () => {
      await this.extensions.getOrThrow(tenantId, extensionId);
      const store = this.stores.for(storeId);
      const row = await this.newTargets.prepare({ id: extensionId, tenantId }, store);
      await this.assertSupported(tenantId, store, input);
      for (const name of SETTINGS) if (input[name] !== undefined) Object.assign(row, { [columnOf(name)]: input[name] });
      row.itemKey = keyOf(store, row);
      if (row.enabled) row.enabledAt = this.clock.now();
      this.resetSchedule(row);
      await this.newTargets.insert([row]);
      if (row.enabled) await this.sent.run({ target: row, act: 'enable' });
      await this.addEvent(row, 'target_added', 'the target was added.');
      await this.audit.record(tenantId, 'target.created', row, { after: row });
      return this.read(caller, extensionId, row.id);
    });
  }

  async update(
    caller: Caller,
    extensionId: string,
    id: string,
    input: UpdateTarget,
    expected: Precondition,
  ): Promise<Target> {
    const { tenantId } = caller;
    assertMayConnect(caller, input);
    return this.change(caller, extensionId, id, 'target.updated', async (row, store) => {
      expected.check(row);
      await this.assertSupported(tenantId, store, input);
      const changed = SETTINGS.filter(
        (name) => input[name] !== undefined && !hasSameValue(input[name], row[columnOf(name)]),
      );
      if (changed.length === 0) throw new NothingToUpdate();
      if (changed.includes('storeItemId') && row.storeItemId !== null)
        await this.extensions.assertMayDetach(caller, extensionId);
      for (const name of changed) Object.assign(row, { [columnOf(name)]: input[name] });
      if (changed.includes('storeItemId')) row.itemKey = keyOf(store, row);
      const isElsewhere = changed.includes('storeItemId') || changed.includes('channel');
      if (isElsewhere) {
        Object.assign(row.status, NOTHING_KNOWN);
        await this.itemChanged.run(row);
      }
      if (changed.includes('crxId') && store.capabilities.needsCrxId) {
        Object.assign(row.status, NOTHING_LIVE);
        await this.publicIdChanged.run(row);
      }
      await this.settingsChanged.run({ target: row, changed });
      if (changed.includes('release')) row.status.releaseRequested = null;
      if (row.enabled && (changed.includes('enabled') || isElsewhere)) {
        row.enabledAt = this.clock.now();
        await this.sent.run({ target: row, act: 'enable' });
      }
      const data = Object.fromEntries(changed.map((name) => [name, row[columnOf(name)]]));
      await this.addEvent(row, 'target_changed', `${changed.join(', ')} changed.`, data);
    });
  }

  /** Deletes a target; the store keeps what it has. */
  async delete(caller: Caller, extensionId: string, id: string, expected: Precondition): Promise<void> {
    const { tenantId } = caller;
    await this.tx.run(async () => {
      await this.extensions.getOrThrow(tenantId, extensionId);
      await this.extensions.assertMayDetach(caller, extensionId);
      const row = orThrow(await this.targets.findForUpdate(extensionId, id), TargetNotFound);
      expected.check(row);
      await this.addEvent(row, 'target_deleted', 'the target was deleted; the store keeps what it has.');
      await this.targets.delete(id);
      await this.audit.record(tenantId, 'target.deleted', row, { before: row });
    });
  }

  /** Pauses or resumes a target: while it is paused, Pierhead changes nothing at the store. Idempotent. */
  async pause(caller: Caller, extensionId: string, id: string, paused: boolean): Promise<Target> {
    return this.change(caller, extensionId, id, paused ? 'target.paused' : 'target.resumed', async (row) => {
      if (row.paused === paused) return;
      row.paused = paused;
      await this.addEvent(row, paused ? 'target_paused' : 'target_resumed', paused ? 'paused.' : 'resumed.');
    });
  }

  /** Requests the release of the approved version. Idempotent. */
  async requestRelease(caller: Caller, extensionId: string, id: string): Promise<Target> {
    return this.change(caller, extensionId, id, 'target.release_requested', async (row, store) => {
      const { status } = row;
      const { desiredVersion } = status;
      if (desiredVersion !== null && status.releaseRequested === desiredVersion) return;
      const refusal = requestRefusal('release', row, store);
      if (refusal !== null) throw new NothingToRelease(refusal);
      status.releaseRequested = desiredVersion;
      await this.addEvent(row, 'release_requested', `the release of version ${desiredVersion} was requested.`);
    });
  }

  /** Has the pinned version submitted again, unchanged, after the store or a person ended its review. Each call is one more attempt. */
  async resubmit(caller: Caller, extensionId: string, id: string): Promise<Target> {
    return this.change(caller, extensionId, id, 'target.resubmitted', async (row, store) => {
      const refusal = requestRefusal('resubmit', row, store);
      if (refusal !== null) throw new NothingToResubmit(refusal);
      // A failure before this moment no longer counts.
      row.enabledAt = this.clock.now();
      await this.sent.run({ target: row, act: 'resubmit' });
      await this.addEvent(row, 'resubmit_requested', `version ${row.status.desiredVersion} is submitted again.`);
    });
  }

  /** Changes a target under its row's lock, records the change as this action, and schedules an immediate check. */
  private change(
    caller: Caller,
    extensionId: string,
    id: string,
    action: TargetAction,
    make: (row: TargetWithStatus, store: Store) => Promise<void>,
  ): Promise<Target> {
    const { tenantId } = caller;
    return this.tx.run(async () => {
      await this.extensions.getOrThrow(tenantId, extensionId);
      const row = orThrow(await this.targets.findForUpdate(extensionId, id), TargetNotFound);
      const store = this.stores.for(row.store);
      row.tenantId = tenantId;
      const before = { ...row, releaseRequested: row.status.releaseRequested, status: null };
      await make(row, store);
      const after = { ...row, releaseRequested: row.status.releaseRequested, status: null };
      // Of what is submitted again, no setting has changed.
      await this.audit.record(tenantId, action, row, action === 'target.resubmitted' ? {} : { before, after });
      row.updatedAt = timeOfChange(row, this.clock.now());
      this.resetSchedule(row);
      await this.targets.update(row);
      return this.read(caller, extensionId, id);
    });
  }

  private async read(caller: Caller, extensionId: string, id: string): Promise<Target> {
    const row = await this.targets.find(extensionId, id);
    return orThrow((await this.views.of(caller, row === null ? [] : [row]))[0], TargetNotFound);
  }

  private addEvent(row: TargetWithStatus, kind: string, what: string, data: object = {}): Promise<void> {
    const { extensionId, id: targetId } = row;
    const message = `${this.stores.for(row.store).title}: ${what}`;
    return this.events.append({ extensionId, targetId, kind, message, data });
  }

  /** Puts a target whose settings changed into the phase that follows from them, due at once if its store can be asked. */
  private resetSchedule(row: TargetWithStatus): void {
    Object.assign(row.status, rescheduled(row, this.clock.now()));
  }

  private async assertSupported(tenantId: string, store: Store, input: UpdateTarget): Promise<void> {
    const faults = unsupportedSettings(store, input);
    if (faults.length > 0) throw new InvalidRequest(faults);
    if (input.credentialId != null) await this.credentials.assertOfStore(tenantId, store, input.credentialId);
  }
}

/** Items and credentials are the tenant's: a token that is restricted to extensions could lead its own to the item of another. */
function assertMayConnect({ extensionIds }: Caller, { storeItemId, credentialId }: UpdateTarget): void {
  if (extensionIds !== null && (storeItemId !== undefined || credentialId !== undefined)) throw new TokenRestricted();
}

const keyOf = (store: Store, { storeItemId }: TargetWithStatus): string | null =>
  storeItemId === null ? null : store.itemKeyOf(storeItemId);

const hasSameValue = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((entry) => other.includes(entry))
    : one === other;
