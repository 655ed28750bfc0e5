import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { newRow, onConstraint, Transactions, Hook } from '../common/database/index.js';
import { InvalidRequest, NothingToUpdate } from '../common/problems/index.js';
import { compareVersions, Stores, type Store, type StoreId } from '../stores/index.js';
import { CredentialNotFound, CredentialsService } from '../credentials/index.js';
import { AccountsService } from '../identity/index.js';
import { EventsService, ExtensionNotFound, ExtensionsService, type ExtensionRef } from '../registry/index.js';
import { missingOf, restingPhase } from './phase.js';
import { tracksInOrder } from './tracks.js';
import { unfitting } from './unfitting.js';
import { TargetEntity } from './target.entity.js';
import type { CreateTarget, Target, TargetList, UpdateTarget } from './targets.dto.js';
import {
  DuplicateTarget,
  ItemEnabledTwice,
  NothingToRelease,
  TargetLimitReached,
  TargetNotFound,
} from './targets.problems.js';

/** What a customer may set, by its name in a request and in the row. */
const SETTABLE = {
  storeItemId: 'storeItemId',
  crxId: 'crxId',
  credentialId: 'credentialId',
  enabled: 'enabled',
  platforms: 'platforms',
  onPending: 'onPending',
  channel: 'channel',
  release: 'releaseMode',
  rolloutPercent: 'rolloutPercent',
  releaseNotes: 'releaseNotes',
  reviewerNotes: 'reviewerNotes',
  skipReview: 'skipReview',
  encryption: 'encryption',
} as const satisfies Readonly<Record<keyof UpdateTarget, keyof TargetEntity>>;
const SETTABLE_NAMES = Object.keys(SETTABLE) as readonly (keyof UpdateTarget)[];

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
  /** Run inside the transaction that adds a further target, before it is written: whoever knows what is pinned for it says so on it. */
  readonly adding = new Hook<Pick<TargetEntity, 'extensionId' | 'store' | 'desiredVersion'>>();
  /** Run inside the transaction that gives a target another public id. */
  readonly relisted = new Hook<Pick<TargetEntity, 'id' | 'storeItemId'>>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
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

  /**
   * Adds a further target.
   * @throws ExtensionNotFound, CredentialNotFound, DuplicateTarget, ItemEnabledTwice, TargetLimitReached, InvalidRequest
   */
  async create(tenantId: string, extensionId: string, { store: storeId, ...input }: CreateTarget): Promise<Target> {
    return this.tx.run(async () => {
      const count = (): Promise<number> => this.tx.repository(TargetEntity).countBy({ extensionId });
      await this.accounts.enforceLimit(tenantId, this.config.maxTargetsPerExtension, count, TargetLimitReached);
      await this.extensions.mustExist(tenantId, extensionId);
      const store = this.stores.for(storeId);
      await this.mustFit(tenantId, store, input);
      const row = this.emptyTarget({ id: extensionId, tenantId }, store);
      for (const name of SETTABLE_NAMES)
        if (input[name] !== undefined) Object.assign(row, { [SETTABLE[name]]: input[name] });
      row.itemKey = keyOf(store, row);
      if (row.enabled) row.enabledAt = this.clock.now();
      await this.adding.run(row);
      this.rest(row);
      await onConstraint(() => this.tx.repository(TargetEntity).insert(row), {
        ...CONFLICTS,
        target_extension_id_fkey: () => new ExtensionNotFound(),
      });
      await this.tell(row, 'target_added', 'a further target was added.');
      return toTarget(row);
    });
  }

  /** @throws ExtensionNotFound, TargetNotFound, CredentialNotFound, DuplicateTarget, ItemEnabledTwice, NothingToUpdate, InvalidRequest */
  async update(tenantId: string, extensionId: string, id: string, input: UpdateTarget): Promise<Target> {
    return this.change(tenantId, extensionId, id, async (row, store) => {
      await this.mustFit(tenantId, store, input);
      const changed = SETTABLE_NAMES.filter(
        (name) => input[name] !== undefined && !isSame(input[name], row[SETTABLE[name]]),
      );
      if (changed.length === 0) throw new NothingToUpdate();
      for (const name of changed) Object.assign(row, { [SETTABLE[name]]: input[name] });
      if (changed.includes('storeItemId')) row.itemKey = keyOf(store, row);
      const isElsewhere = changed.includes('storeItemId') || changed.includes('channel');
      if (isElsewhere) Object.assign(row, { liveVersion: null, submittedVersion: null, releaseRequested: null });
      if (changed.includes('crxId') && store.capabilities.needsCrxId) {
        row.liveVersion = null;
        await this.relisted.run(row);
      }
      if (changed.includes('release')) row.releaseRequested = null;
      if (row.enabled && (changed.includes('enabled') || isElsewhere)) row.enabledAt = this.clock.now();
      const data = Object.fromEntries(changed.map((name) => [name, row[SETTABLE[name]]]));
      await this.tell(row, 'target_changed', `${changed.join(', ')} changed.`, data);
    });
  }

  /** Ends a target; what the store has stays there. @throws ExtensionNotFound, TargetNotFound */
  async delete(tenantId: string, extensionId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      await this.extensions.mustExist(tenantId, extensionId);
      const row = await this.find(extensionId, id, 'for update');
      await this.tell(row, 'target_deleted', 'the target was deleted; the store keeps what it has.');
      await this.tx.repository(TargetEntity).delete({ id });
    });
  }

  /** Keeps Pierhead from doing anything at the store, or lets it go on. Idempotent. @throws ExtensionNotFound, TargetNotFound */
  async pause(tenantId: string, extensionId: string, id: string, paused: boolean): Promise<Target> {
    return this.change(tenantId, extensionId, id, async (row) => {
      if (row.paused === paused) return;
      row.paused = paused;
      await this.tell(row, paused ? 'target_paused' : 'target_resumed', paused ? 'paused.' : 'resumed.');
    });
  }

  /**
   * Asks for the release of the approved version that rests at the store. Idempotent.
   * @throws ExtensionNotFound, TargetNotFound, NothingToRelease
   */
  async releaseNow(tenantId: string, extensionId: string, id: string): Promise<Target> {
    return this.change(tenantId, extensionId, id, async (row) => {
      // Of what is approved and rests even so, Pierhead does not know that it submitted it.
      if (row.releaseMode !== 'manual' && row.phase !== 'approved')
        throw new NothingToRelease('the target releases what is approved by itself.');
      if (row.desiredVersion === null) throw new NothingToRelease('no version is pinned.');
      if (row.releaseRequested === row.desiredVersion) return;
      if (!mayRest(row)) throw new NothingToRelease(`the target is ${row.phase}; ${row.message}`);
      row.releaseRequested = row.desiredVersion;
      await this.tell(row, 'release_requested', `the release of version ${row.desiredVersion} was asked for.`);
    });
  }

  /**
   * Where a version of the extension would go: every target, or those of one store. They are locked until the transaction under way ends,
   * so that no upload begins between what is known here and a pin.
   */
  async destinations(extensionId: string, store: StoreId | null): Promise<readonly Destination[]> {
    const rows = await this.tx.repository(TargetEntity).find({
      where: { extensionId, ...(store === null ? {} : { store }) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return rows.map(({ id, ...row }) => ({ targetId: id, ...row }));
  }

  /** Makes targets due at once because a version was pinned; part of the push's transaction. */
  async pinned(extensionId: string, store: StoreId | null, version: string): Promise<void> {
    await this.tx.query(
      `update target
          set desired_version = $3, failures = 0, looks = 0, tracks = '{}',
              waiting_since = case when stall_told_at is null then waiting_since end, stall_told_at = null, revision = revision + 1, updated_at = $4,
              phase = case when phase = 'idle' then 'queued' else phase end,
              message = case when phase = 'idle' then 'Version ' || $3 || ' is pinned; the store will be asked shortly.' else message end,
              next_check_at = case when next_check_at is null then null else greatest($4, not_before) end
        where extension_id = $1 and ($2::text is null or store = $2)`,
      [extensionId, store, version, this.clock.now()],
    );
  }

  /** A rotated credential ends every wait that an old one caused. */
  private async resume(credentialId: string): Promise<void> {
    await this.tx.query(
      `update target set next_check_at = $2, not_before = null, failures = 0, looks = 0, tracks = '{}', revision = revision + 1
        where credential_id = $1 and next_check_at is not null`,
      [credentialId, this.clock.now()],
    );
  }

  private async addDefaults(extension: ExtensionRef): Promise<void> {
    const rows = this.stores.all.map((store) => {
      const row = this.emptyTarget(extension, store);
      this.rest(row);
      return row;
    });
    await this.tx.repository(TargetEntity).insert(rows);
  }

  private emptyTarget({ id: extensionId, tenantId }: ExtensionRef, { id: store, capabilities }: Store): TargetEntity {
    return Object.assign(new TargetEntity(), newRow(this.clock.now()), {
      extensionId,
      tenantId,
      store,
      storeItemId: null,
      itemKey: null,
      crxId: null,
      credentialId: null,
      enabled: false,
      enabledAt: null,
      platforms: [...capabilities.defaultPlatforms],
      channel: capabilities.channels[0] ?? '',
      onPending: 'wait' as const,
      releaseMode: 'auto' as const,
      releaseRequested: null,
      rolloutPercent: null,
      releaseNotes: null,
      reviewerNotes: null,
      skipReview: false,
      encryption: null,
      paused: false,
      tracks: {},
      revision: 0,
      phase: 'disabled' as const,
      desiredVersion: null,
      liveVersion: null,
      submittedVersion: null,
      checkedAt: null,
      notBefore: null,
    });
  }

  /** Changes a target under its row's lock; its store is looked at at once. */
  private change(
    tenantId: string,
    extensionId: string,
    id: string,
    make: (row: TargetEntity, store: Store) => Promise<void>,
  ): Promise<Target> {
    return this.tx.run(async () => {
      await this.extensions.mustExist(tenantId, extensionId);
      const row = await this.find(extensionId, id, 'for update');
      const store = this.stores.for(row.store);
      row.tenantId = tenantId;
      await make(row, store);
      this.rest(row);
      await onConstraint(() => this.tx.repository(TargetEntity).save(row), CONFLICTS);
      return toTarget(row);
    });
  }

  private tell(row: TargetEntity, kind: string, what: string, data: object = {}): Promise<void> {
    const { extensionId, id: targetId } = row;
    const message = `${this.stores.for(row.store).title}: ${what}`;
    return this.events.append({ extensionId, targetId, kind, message, data });
  }

  /** Puts a target whose settings changed into the phase that follows from them, due at once if its store can be asked. */
  private rest(row: TargetEntity): void {
    const now = this.clock.now();
    const { phase, message, isDrivable } = restingPhase(row);
    const nextCheckAt = isDrivable ? new Date(Math.max(now.getTime(), row.notBefore?.getTime() ?? 0)) : null;
    const anew = { failures: 0, looks: 0, tracks: {}, waitingSince: null, stallToldAt: null };
    Object.assign(row, { ...anew, phase, message, nextCheckAt, updatedAt: now });
    row.revision += 1;
  }

  private async mustFit(tenantId: string, store: Store, input: UpdateTarget): Promise<void> {
    const faults = unfitting(store, input);
    if (faults.length > 0) throw new InvalidRequest(faults);
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

/** The credential may have been deleted since it was looked up, and two settings of one item may race. */
const CONFLICTS = {
  target_credential_id_fkey: () => new CredentialNotFound(),
  target_extension_id_store_store_item_id_channel_key: () => new DuplicateTarget(),
  target_enabled_item_idx: () => new ItemEnabledTwice(),
};

const keyOf = (store: Store, { storeItemId }: TargetEntity): string | null =>
  storeItemId === null ? null : store.itemKeyOf(storeItemId);

/** The pinned version is in review or approved, as far as is known: a store that fails just now is asked for the release later. */
const mayRest = ({ phase, desiredVersion, submittedVersion }: TargetEntity): boolean =>
  phase === 'approved' ||
  phase === 'in_review' ||
  (phase === 'backing_off' &&
    desiredVersion !== null &&
    submittedVersion !== null &&
    compareVersions(submittedVersion, desiredVersion) === 0);

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
    channel: row.channel === '' ? null : row.channel,
    release: row.releaseMode,
    rolloutPercent: row.rolloutPercent,
    releaseNotes: row.releaseNotes,
    reviewerNotes: row.reviewerNotes,
    skipReview: row.skipReview,
    encryption: row.encryption,
    paused: row.paused,
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
      platforms: tracksInOrder(row).map(([platform, { phase, liveVersion, submittedVersion, message }]) => ({
        platform,
        phase,
        liveVersion,
        submittedVersion,
        message,
      })),
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
