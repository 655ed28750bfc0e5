import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import { AccountsService } from '../../platform/accounts/index.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { StorageLimitReached, TooManyUploads } from '../artifacts.problems.js';

/** Limits of what a tenant may upload at a time, and store. */
@Injectable()
export class UploadLimitsService {
  /** Uploads under way in this process, by tenant. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly artifacts: ArtifactsRepository,
    private readonly accounts: AccountsService,
  ) {}

  /** The largest package. */
  get packageBytes(): number {
    return this.config.artifactMaxBytes;
  }

  /** Runs an upload, from before its body is read until the work on it is done. */
  async receive<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const before = this.underWay.get(tenantId) ?? 0;
    const limit = this.config.maxUploadsAtOnce;
    if (before >= limit) throw new TooManyUploads(limit);
    this.underWay.set(tenantId, before + 1);
    try {
      return await work();
    } finally {
      const left = (this.underWay.get(tenantId) ?? 1) - 1;
      if (left > 0) this.underWay.set(tenantId, left);
      else this.underWay.delete(tenantId);
    }
  }

  /**
   * Runs work that may add to what a tenant stores, in a transaction that locks the tenant.
   * @param adds whether the work has added anything
   * @throws StorageLimitReached when it has added too much
   */
  async withinStorageLimit<T>(tenantId: string, adds: (outcome: T) => boolean, work: () => Promise<T>): Promise<T> {
    return this.tx.run(async () => {
      await this.accounts.lockTenant(tenantId);
      const outcome = await work();
      if (adds(outcome)) await this.assertWithinLimit(tenantId);
      return outcome;
    });
  }

  private async assertWithinLimit(tenantId: string): Promise<void> {
    const limit = this.config.maxStoredBytes;
    if ((await this.artifacts.storedBytes(tenantId)) > limit) throw new StorageLimitReached(limit);
  }
}
