import { Global, Injectable, Module } from '@nestjs/common';
import type { StoreId } from '../stores/index.js';
import { PinnedVersions } from '../targets/index.js';
import { ArtifactsRepository } from './artifacts.repository.js';

@Injectable()
class PinnedArtifacts extends PinnedVersions {
  constructor(private readonly artifacts: ArtifactsRepository) {
    super();
  }

  override async storeVersionFor(extensionId: string, store: StoreId): Promise<string | null> {
    return (await this.artifacts.findPinned(extensionId, store, null))?.storeVersion ?? null;
  }
}

/** Provides what targets ask about pins. Global, because targets cannot import a module above them. */
@Global()
@Module({
  providers: [ArtifactsRepository, { provide: PinnedVersions, useClass: PinnedArtifacts }],
  exports: [ArtifactsRepository, PinnedVersions],
})
export class PinnedVersionsModule {}
