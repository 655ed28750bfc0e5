import { Injectable } from '@nestjs/common';
import { onConstraint, Transactions } from '../../common/database/index.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { SigningKeyExists } from './signing-keys.problems.js';

/** Keys that sign packages, sealed. */
@Injectable()
export class SigningKeysRepository {
  constructor(private readonly tx: Transactions) {}

  find(targetId: string): Promise<SigningKeyEntity | null> {
    return this.keys.findOneBy({ targetId });
  }

  exists(targetId: string): Promise<boolean> {
    return this.keys.existsBy({ targetId });
  }

  /** @throws SigningKeyExists */
  async insert(row: SigningKeyEntity): Promise<void> {
    await onConstraint(() => this.keys.insert(row), { signing_key_target_id_key: () => new SigningKeyExists() });
  }

  /** Replaces the sealed key, unless it has changed meanwhile. */
  async reseal({ id, sealed: old }: SigningKeyEntity, sealed: string): Promise<void> {
    await this.keys.update({ id, sealed: old }, { sealed });
  }

  async delete(id: string): Promise<void> {
    await this.keys.delete({ id });
  }

  private get keys() {
    return this.tx.repository(SigningKeyEntity);
  }
}
