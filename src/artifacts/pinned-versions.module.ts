import { Global, Injectable, Module } from '@nestjs/common';
import { PinnedVersions } from '../targets/index.js';
import { ArtifactsRepository, type TargetRef } from './artifacts.repository.js';

@Injectable()
class PinnedArtifacts extends PinnedVersions {
  constructor(private readonly artifacts: ArtifactsRepository) {
    super();
  }

  override async storeVersionFor(target: TargetRef): Promise<string | null> {
    return (await this.artifacts.findPinned(target, null))?.storeVersion ?? null;
  }
}

/** Provides what targets ask about pins. Global, because targets cannot import a module above them. */
@Global()
@Module({
  providers: [ArtifactsRepository, { provide: PinnedVersions, useClass: PinnedArtifacts }],
  exports: [ArtifactsRepository, PinnedVersions],
})
export class PinnedVersionsModule {}
