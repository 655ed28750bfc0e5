import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { FindingOverrideEntity } from './finding-override.entity.js';

/** Decisions of people about findings. */
@Injectable()
export class FindingsRepository {
  constructor(private readonly tx: Transactions) {}

  /** The overrides of an extension for these findings, of any version, oldest first. */
  find(extensionId: string, findingIds: readonly string[]): Promise<FindingOverrideEntity[]> {
    if (findingIds.length === 0) return Promise.resolve([]);
    return this.overrides.find({ where: { extensionId, findingId: In([...findingIds]) }, order: { id: 'ASC' } });
  }

  /** All overrides of an extension, oldest first. */
  findAll(extensionId: string): Promise<FindingOverrideEntity[]> {
    return this.overrides.find({ where: { extensionId }, order: { id: 'ASC' } });
  }

  insert(row: FindingOverrideEntity): Promise<unknown> {
    return this.overrides.insert(row);
  }

  /** Records that a store took a version that was sent despite findings. */
  async accept(ids: readonly string[], now: Date): Promise<void> {
    await this.overrides.update({ id: In([...ids]), acceptedAt: IsNull() }, { acceptedAt: now, updatedAt: now });
  }

  private get overrides() {
    return this.tx.repository(FindingOverrideEntity);
  }
}
