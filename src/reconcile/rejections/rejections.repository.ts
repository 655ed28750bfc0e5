import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import type { ReleaseEntity } from '../releases/index.js';
import { RejectionReasonEntity } from './rejection-reason.entity.js';

/** Notes of people about rejections. */
@Injectable()
export class RejectionsRepository {
  constructor(private readonly tx: Transactions) {}

  /** The note about the rejection that a release is in. */
  find({ id: releaseId, stateAt: rejectedAt }: ReleaseEntity): Promise<RejectionReasonEntity | null> {
    return this.reasons.findOneBy({ releaseId, rejectedAt });
  }

  /** Writes a new or a changed reason. */
  async save(row: RejectionReasonEntity): Promise<void> {
    await this.reasons.upsert(row, ['id']);
  }

  private get reasons() {
    return this.tx.repository(RejectionReasonEntity);
  }
}
