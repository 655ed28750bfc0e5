import { Injectable } from '@nestjs/common';
import { And, In, IsNull, LessThan, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { onConstraint, Transactions } from '../common/database/index.js';
import type { PageStart } from '../common/fields/index.js';
import type { ProcessorId } from '../payments/index.js';
import { CredentialEntity } from './credential.entity.js';
import type { ProviderId } from './credential-providers.js';
import { CredentialInUse } from './credentials.problems.js';

/** Most items by which a store is asked to prove an account. */
const MOST_ITEMS = 5;

/** A row without its relations. */
export type CredentialRow = Omit<CredentialEntity, 'tenant'>;

/** Credentials of tenants, sealed. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(credential: CredentialRow): Promise<void> {
    await this.rows.insert(credential);
  }

  async save(credential: CredentialEntity): Promise<void> {
    await this.rows.save(credential);
  }

  /** Replaces sealed secrets, unless they have changed meanwhile. */
  async reseal(id: string, old: string, sealed: string): Promise<void> {
    await this.rows.update({ id, sealed: old }, { sealed });
  }

  /** Notes when a store began to refuse a credential. Not a change by anybody, so `updatedAt` stays. */
  async markRefused(id: string, refusedAt: Date): Promise<void> {
    await this.rows.update({ id, refusedAt: IsNull() }, { refusedAt });
  }

  async markAccepted(id: string, verifiedAt: Date): Promise<void> {
    await this.rows.update({ id }, { refusedAt: null, verifiedAt, accountProven: true });
  }

  /** Items of the account at the store: those of the targets that use the credential, enabled ones first. Raw SQL: the folder of targets depends on this one. */
  async storeItemIds(id: string): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly storeItemId: string }>(
      `select store_item_id as "storeItemId" from target
        where credential_id = $1 and store_item_id is not null order by enabled desc, id limit $2`,
      [id, MOST_ITEMS],
    );
    return rows.map(({ storeItemId }) => storeItemId);
  }

  /** Deletes a credential that is locked. */
  async delete(id: string): Promise<void> {
    await onConstraint(() => this.rows.delete({ id }), { target_credential_id_fkey: () => new CredentialInUse() });
  }

  /** Reads a credential by its id alone, for work on a target that has it. */
  getById(id: string): Promise<CredentialEntity> {
    return this.rows.findOneByOrFail({ id });
  }

  find(tenantId: string, id: string): Promise<CredentialEntity | null> {
    return this.rows.findOneBy({ id, tenantId });
  }

  findForUpdate(tenantId: string, id: string): Promise<CredentialEntity | null> {
    return this.rows.findOne({ where: { id, tenantId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns one row more than the page holds, newest first. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly CredentialEntity[]> {
    return this.rows.find({ where: { tenantId, id: LessThan(after) }, order: { id: 'DESC' }, take: limit + 1 });
  }

  /** Returns the tenants' credentials of payment processors, oldest first. */
  listOfProcessors(
    tenantIds: readonly string[],
    processors: readonly ProcessorId[],
  ): Promise<readonly CredentialEntity[]> {
    const where = { tenantId: In([...tenantIds]), store: In([...processors]) };
    return this.rows.find({ where, order: { id: 'ASC' } });
  }

  /** When the next credential of each store expires, of those that do after `from`. Raw SQL: the first index entry of each store. */
  soonestExpiries(
    stores: readonly ProviderId[],
    from: Date,
  ): Promise<readonly { readonly store: ProviderId; readonly expiresAt: Date }[]> {
    return this.tx.query(
      `select store, found.expires_at as "expiresAt" from unnest($1::text[]) as one(store)
         cross join lateral (select expires_at from credential c where c.store = one.store and expires_at > $2
                              order by expires_at limit 1) as found`,
      [stores, from],
    );
  }

  /** Returns the credentials of all tenants that expire after `from` and no later than `to`. */
  listExpiring(from: Date, to: Date): Promise<readonly CredentialEntity[]> {
    return this.rows.find({
      where: { expiresAt: And(MoreThan(from), LessThanOrEqual(to)) },
      order: { expiresAt: 'ASC' },
    });
  }

  private get rows(): Repository<CredentialEntity> {
    return this.tx.repository(CredentialEntity);
  }
}
