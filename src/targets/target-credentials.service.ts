import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvalidRequest } from '../common/problems/index.js';
import { Clock } from '../common/system/index.js';
import { CredentialsService } from '../credentials/index.js';
import type { Store } from '../stores/index.js';
import { TargetsRepository } from './targets.repository.js';

/** The credentials that targets use. */
@Injectable()
export class TargetCredentialsService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly credentials: CredentialsService,
    private readonly targets: TargetsRepository,
  ) {}

  onModuleInit(): void {
    this.credentials.rotated.add(({ id }) => this.targets.resumeAll(id, this.clock.now()));
  }

  /** Refuses a credential of another store. */
  async assertOfStore(tenantId: string, store: Store, credentialId: string): Promise<void> {
    const credential = await this.credentials.getOrThrow(tenantId, credentialId);
    if (credential.store !== store.id)
      throw new InvalidRequest([
        { field: 'credentialId', message: `is a credential for ${credential.store}, not for ${store.id}.` },
      ]);
  }
}
