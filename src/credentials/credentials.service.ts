import { Injectable, Logger } from '@nestjs/common';
import { Clock, DAY_MS } from '../common/system/index.js';
import { Batcher, Hook, newRow, SHARING_STATEMENTS, timeOfChange, Transactions } from '../common/database/index.js';
import type { Precondition } from '../common/http/index.js';
import { pageFrom, type Page, type PageQuery } from '../common/fields/index.js';
import { addToWorkContext } from '../common/access/index.js';
import { InvalidRequest, NothingToUpdate, orThrow } from '../common/problems/index.js';
import { AuditLog } from '../platform/audit/index.js';
import { CannotUnseal, Sealer } from '../common/sealing/index.js';
import { PROCESSOR_IDS, type PaymentCredentials, type ProcessorId } from '../payments/index.js';
import { StoreFailure } from '../stores/index.js';
import type { CredentialEntity } from './credential.entity.js';
import { CredentialsRepository, type CredentialRow } from './credentials.repository.js';
import type { CreateCredential, Credential, UpdateCredential } from './credentials.dto.js';
import { CredentialNotFound, StoreRejectedCredentials, StoreUnavailable } from './credentials.problems.js';
import { CredentialProviders, type CredentialProvider, type ProviderId } from './credential-providers.js';
import { healthOf } from './credential-health.js';
import { readSecrets } from './secrets.js';

/** The fields of a credential that other modules may use. */
export interface CredentialRef {
  readonly id: string;
  readonly store: ProviderId;
  readonly label: string | null;
}

/** A credential that expires soon, for a warning. */
export interface ExpiringCredential {
  readonly id: string;
  readonly tenantId: string;
  readonly storeTitle: string;
  readonly label: string | null;
  readonly expiresAt: Date;
}

type Verified = Pick<
  CredentialEntity,
  'sealed' | 'lastFour' | 'identity' | 'account' | 'accountProven' | 'verifiedAt' | 'refusedAt' | 'acceptsTests'
>;

/** A credential with its secrets. */
export interface OpenedCredential extends CredentialRef {
  readonly secrets: object;
  /** The store refused it the last time. */
  readonly isRefused: boolean;
  /** The store has shown whose it is. */
  readonly isAccountProven: boolean;
}

/** A tenant's decrypted secrets of one payment processor, for verifying signatures. */
export type OpenedPaymentSecrets = PaymentCredentials & {
  readonly credentialId: string;
  /** The account whose API key it has, as the processor calls it. */
  readonly identity: string;
};

interface PaymentSeller {
  readonly tenantId: string;
  readonly processor: ProcessorId;
}

/** Credentials of stores and payment processors: verified before they are saved, encrypted, and never shown. */
@Injectable()
export class CredentialsService {
  /** Runs inside the transaction that replaces a credential's secrets. */
  readonly rotated = new Hook<CredentialRef>();
  private readonly log = new Logger(CredentialsService.name);
  private readonly payments = new Batcher<PaymentSeller, readonly OpenedPaymentSecrets[]>(
    (sellers) => this.openAllPayments(sellers),
    SHARING_STATEMENTS,
  );

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
    private readonly providers: CredentialProviders,
    private readonly credentials: CredentialsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Verifies and saves credentials. */
  async create(tenantId: string, input: CreateCredential): Promise<Credential> {
    const store = this.providers.for(input.store);
    const base = newRow(this.clock.now());
    const items = input.storeItemId === undefined ? [] : [input.storeItemId];
    const verified = await this.verify(store, base.id, input.credentials, items);
    const expiresAt = input.expiresAt == null ? this.expiryOf(store) : new Date(input.expiresAt);
    const row = { ...base, ...verified, tenantId, store: store.id, label: input.label ?? null, expiresAt };
    await this.tx.run(async () => {
      await this.credentials.insert(row);
      await this.audit.record(tenantId, 'credential.created', row, { after: row });
    });
    return this.toCredential(row);
  }

  /** Lists the tenant's credentials, newest first. */
  async list(tenantId: string, query: PageQuery): Promise<Page<Credential>> {
    return pageFrom(
      query,
      (start) => this.credentials.list(tenantId, start),
      (row) => this.toCredential(row),
    );
  }

  async get(tenantId: string, id: string): Promise<Credential> {
    return this.toCredential(orThrow(await this.credentials.find(tenantId, id), CredentialNotFound));
  }

  /** Updates the label or expiry, and with `credentials` the secrets, which are verified first. */
  async update(tenantId: string, id: string, input: UpdateCredential, expected: Precondition): Promise<Credential> {
    const known = orThrow(await this.credentials.find(tenantId, id), CredentialNotFound);
    expected.check(known);
    if (input.store !== undefined && input.store !== known.store)
      throw new InvalidRequest([
        { field: 'store', message: `must be ${known.store}, the one that the credential is for.` },
      ]);
    const store = this.providers.for(known.store);
    const verified =
      input.credentials === undefined
        ? null
        : await this.verify(
            store,
            id,
            { ...(await this.kept(known, store)), ...input.credentials },
            await this.credentials.storeItemIds(id),
          );
    return this.tx.run(async () => {
      const row = orThrow(await this.credentials.findForUpdate(tenantId, id), CredentialNotFound);
      expected.check(row);
      const label = input.label === undefined ? row.label : input.label;
      const expiresAt = this.newExpiry(row, store, input, verified !== null);
      if (verified === null && label === row.label && expiresAt?.getTime() === row.expiresAt?.getTime())
        throw new NothingToUpdate();
      const before = { ...row };
      const changed = Object.assign(row, verified, {
        label,
        expiresAt,
        updatedAt: timeOfChange(row, this.clock.now()),
      });
      await this.credentials.save(changed);
      if (verified !== null) await this.rotated.run(changed);
      const action = verified === null ? 'credential.updated' : 'credential.rotated';
      await this.audit.record(tenantId, action, row, { before, after: changed });
      return this.toCredential(changed);
    });
  }

  async delete(tenantId: string, id: string, expected: Precondition): Promise<void> {
    await this.tx.run(async () => {
      const row = orThrow(await this.credentials.findForUpdate(tenantId, id), CredentialNotFound);
      expected.check(row);
      await this.credentials.delete(id);
      await this.audit.record(tenantId, 'credential.deleted', row, { before: row });
    });
  }

  /** Checks that the credential exists and is the tenant's. */
  async getOrThrow(tenantId: string, id: string): Promise<CredentialRef> {
    return orThrow(await this.credentials.find(tenantId, id), CredentialNotFound);
  }

  /** Reads the fields of a credential that a message may name. */
  describe(id: string): Promise<CredentialRef> {
    return this.credentials.getById(id);
  }

  /** Lists the credentials of all tenants that expire after `from` and no later than `to`. */
  async expiring(from: Date, to: Date): Promise<readonly ExpiringCredential[]> {
    const rows = await this.credentials.listExpiring(from, to);
    return rows.flatMap(({ id, tenantId, store, label, expiresAt }) =>
      expiresAt === null ? [] : [{ id, tenantId, storeTitle: this.providers.for(store).title, label, expiresAt }],
    );
  }

  /**
   * Decrypts the secrets for a call to the store; re-encrypts them when another key is current.
   * @throws StoreFailure `credential` when they cannot be decrypted; restoring the key or rotating the secrets helps
   */
  async open(id: string): Promise<OpenedCredential> {
    const row = await this.credentials.getById(id);
    // Log lines of background work name the tenant from here on.
    addToWorkContext({ tenantId: row.tenantId });
    const { store, label, refusedAt, accountProven } = row;
    const secrets = await this.opened(row);
    return { id, store, label, isRefused: refusedAt !== null, isAccountProven: accountProven, secrets };
  }

  /** Notes that a store refuses a credential. */
  noteRefused(id: string): Promise<void> {
    return this.credentials.markRefused(id, this.clock.now());
  }

  /** Notes that a store accepts a credential that it refused, or of which only the key was known to work. */
  noteAccepted(id: string): Promise<void> {
    return this.credentials.markAccepted(id, this.clock.now());
  }

  /** Lists a tenant's credentials of payment processors, oldest first, without their secrets. */
  listPayments(tenantId: string): Promise<readonly Pick<CredentialEntity, 'id' | 'label' | 'store'>[]> {
    return this.credentials.listOfProcessors([tenantId], PROCESSOR_IDS);
  }

  /**
   * Decrypts a tenant's secrets of one payment processor, oldest first; none when the tenant does not exist. Secrets that cannot be decrypted are
   * left out and logged. Runs outside of transactions: calls that arrive together share one statement.
   */
  openPayments(tenantId: string, processor: ProcessorId): Promise<readonly OpenedPaymentSecrets[]> {
    return this.payments.add({ tenantId, processor });
  }

  private async openAllPayments(sellers: readonly PaymentSeller[]): Promise<(readonly OpenedPaymentSecrets[])[]> {
    const [tenantIds, processors] = [sellers.map(({ tenantId }) => tenantId), sellers.map((one) => one.processor)];
    const rows = await this.credentials.listOfProcessors([...new Set(tenantIds)], [...new Set(processors)]);
    const isOf = ({ tenantId, store }: CredentialEntity, one: PaymentSeller): boolean =>
      tenantId === one.tenantId && store === one.processor;
    const asked = rows.filter((row) => sellers.some((one) => isOf(row, one)));
    const opened = await Promise.all(asked.map(async (row) => ({ row, secrets: await this.openedIfReadable(row) })));
    return sellers.map((one) =>
      opened.flatMap(({ row, secrets }) =>
        secrets === null || !isOf(row, one) ? [] : [{ ...secrets, credentialId: row.id, identity: row.identity }],
      ),
    );
  }

  private async openedIfReadable(row: CredentialEntity): Promise<PaymentCredentials | null> {
    try {
      return (await this.opened(row)) as PaymentCredentials;
    } catch (failure) {
      if (failure instanceof StoreFailure) return null;
      throw failure;
    }
  }

  /** Decrypts secrets, and re-encrypts them when another key is current. */
  private async opened(row: CredentialEntity): Promise<object> {
    const secrets = await this.unseal(row);
    if (this.sealer.isOutdated(row.sealed)) {
      const sealed = await this.sealer.seal(secrets, purposeOf(row.id));
      await this.credentials.reseal(row.id, row.sealed, sealed);
    }
    return secrets;
  }

  private async unseal({ id, sealed }: CredentialEntity): Promise<object> {
    try {
      return (await this.sealer.unseal(sealed, purposeOf(id))) as object;
    } catch (error) {
      if (!(error instanceof CannotUnseal)) throw error;
      this.log.error({ msg: 'credential cannot be decrypted', credentialId: id, err: error });
      throw new StoreFailure(
        'credential',
        'Their encryption key is missing or has changed, or they were altered. The log shows which.',
        { isSealed: true },
      );
    }
  }

  /** Reads what a rotation may leave out; nothing where the old secrets cannot be decrypted, since rotating them is the way out. */
  private async kept(row: CredentialEntity, { credentialShape }: CredentialProvider): Promise<object> {
    const names = new Set(credentialShape.forms.flat().flatMap(({ name, isKept }) => (isKept ? [name] : [])));
    if (names.size === 0) return {};
    const secrets = await this.unseal(row).catch((failure: unknown) => {
      if (failure instanceof StoreFailure) return {};
      throw failure;
    });
    return Object.fromEntries(Object.entries(secrets).filter(([name]) => names.has(name)));
  }

  private newExpiry(
    row: CredentialEntity,
    store: CredentialProvider,
    input: UpdateCredential,
    isRotated: boolean,
  ): Date | null {
    if (input.expiresAt != null) return new Date(input.expiresAt);
    const kept = input.expiresAt === null ? null : row.expiresAt;
    return isRotated ? (this.expiryOf(store) ?? kept) : kept;
  }

  private expiryOf({ credentialShape }: CredentialProvider): Date | null {
    const days = credentialShape.lapsesAfterDays;
    return days === null ? null : new Date(this.clock.now().getTime() + days * DAY_MS);
  }

  private async verify(
    store: CredentialProvider,
    id: string,
    given: object,
    storeItemIds: readonly string[],
  ): Promise<Verified> {
    const secrets = await readSecrets(store, given);
    const verified = await store.verify(secrets, storeItemIds).catch((failure: unknown) => {
      throw this.translated(failure);
    });
    const { identity, account = null, isAccountProven = true } = verified;
    return {
      identity,
      account,
      accountProven: isAccountProven,
      acceptsTests: (secrets as Partial<PaymentCredentials>).testMode === true,
      sealed: await this.sealer.seal(secrets, purposeOf(id)),
      lastFour: store.credentialShape.secretOf(secrets).slice(-4),
      verifiedAt: this.clock.now(),
      refusedAt: null,
    };
  }

  private toCredential(row: Omit<CredentialRow, 'sealed' | 'tenantId'>): Credential {
    const { id, store, label, expiresAt, lastFour, verifiedAt, identity, createdAt, updatedAt } = row;
    const health = healthOf(row, this.clock.now());
    return { id, store, label, expiresAt, lastFour, verifiedAt, health, identity, createdAt, updatedAt };
  }

  private translated(failure: unknown): unknown {
    if (!(failure instanceof StoreFailure)) return failure;
    const passing = failure.kind === 'retry' || failure.kind === 'wait';
    return passing
      ? new StoreUnavailable(failure.message, this.clock.now(), failure.details.retryAt)
      : new StoreRejectedCredentials(failure.message, failure.details.isUnreadable !== true);
  }
}

const purposeOf = (id: string): string => `credential:${id}`;
