import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { LeaseKeyEntity } from './lease-key.entity.js';

/** A key without its relations. */
export type LeaseKeyRow = Omit<LeaseKeyEntity, 'extension'>;

/** The key pairs that sign leases. */
@Injectable()
export class LeaseKeysRepository {
  constructor(private readonly tx: Transactions) {}

  findOf(extensionId: string): Promise<readonly LeaseKeyEntity[]> {
    return this.rows.findBy({ extensionId });
  }

  /**
   * Adds a key unless the extension already has one of that state, or no longer exists. Raw SQL: the statement that inserts also locks the
   * extension, so that it is not deleted in between.
   */
  async insertIfAbsent({ id, createdAt, extensionId, state, publicKey, sealed }: LeaseKeyRow): Promise<void> {
    await this.tx.query(
      `insert into lease_key (id, created_at, updated_at, extension_id, state, public_key, sealed)
       select $1::uuid, $2::timestamptz, $2::timestamptz, id, $4, $5, $6
         from extension where id = $3 for key share
       on conflict (extension_id, state) do nothing`,
      [id, createdAt, extensionId, state, publicKey, sealed],
    );
  }

  /** Makes two rotations of one extension wait for each other. Raw SQL: TypeORM's entity of the extension is another folder's. */
  async lockExtension(extensionId: string): Promise<void> {
    await this.tx.query('select id from extension where id = $1 for no key update', [extensionId]);
  }

  /** Deletes the previous key, and moves each other key on by one state; the extension is locked. @param successor the new `next` key */
  async rotate(extensionId: string, successor: LeaseKeyRow, updatedAt: Date): Promise<void> {
    await this.rows.delete({ extensionId, state: 'previous' });
    await this.rows.update({ extensionId, state: 'current' }, { state: 'previous', updatedAt });
    await this.rows.update({ extensionId, state: 'next' }, { state: 'current', updatedAt });
    await this.rows.insert(successor);
  }

  /** Replaces the sealed private key of a row that still has the one that was read. */
  async reseal(id: string, before: string, sealed: string): Promise<void> {
    await this.rows.update({ id, sealed: before }, { sealed });
  }

  private get rows(): Repository<LeaseKeyEntity> {
    return this.tx.repository(LeaseKeyEntity);
  }
}
