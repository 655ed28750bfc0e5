import { Injectable } from '@nestjs/common';
import { FindingsService, sentenceOf, type PinnedArtifact } from '../artifacts/index.js';
import { SigningKeysService, type TargetWithStatus } from '../targets/index.js';

/** Why a store would refuse a package, before it is sent. */
@Injectable()
export class ExpectedRefusalsService {
  constructor(
    private readonly findings: FindingsService,
    private readonly signingKeys: SigningKeysService,
  ) {}

  /** The reasons, in sentences; none that a person has overridden. */
  async of(pinned: PinnedArtifact, target: TargetWithStatus): Promise<readonly string[]> {
    const found = (await this.findings.holding(pinned, target)).map(sentenceOf);
    const unsigned = await this.signingKeys.refusalOf(target, pinned.format);
    return unsigned === null ? found : [...found, unsigned];
  }
}
