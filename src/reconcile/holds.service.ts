import { Injectable } from '@nestjs/common';
import {
  ApprovalsService,
  FindingsService,
  sentenceOf,
  type Clearance,
  type PinnedArtifact,
} from '../artifacts/index.js';
import { SigningKeysService, type TargetWithStatus } from '../targets/index.js';

/** What may keep a version from a target. */
interface Holds {
  /** Why its store would refuse the package, in sentences; none that a person has overridden. */
  readonly refusals: readonly string[];
  readonly clearance: Clearance;
}

/** What keeps versions from targets, before they are sent. */
@Injectable()
export class HoldsService {
  constructor(
    private readonly findings: FindingsService,
    private readonly signingKeys: SigningKeysService,
    private readonly approvals: ApprovalsService,
  ) {}

  async of(pinned: PinnedArtifact, target: TargetWithStatus): Promise<Holds> {
    const found = (await this.findings.holding(pinned, target)).map(sentenceOf);
    const unsigned = await this.signingKeys.refusalOf(target, pinned.format);
    const clearance = await this.approvals.clearance(pinned, target);
    return { refusals: unsigned === null ? found : [...found, unsigned], clearance };
  }

  /** Asks for the approval of a version that waits for one, if nobody was asked. Part of the transaction that notes that it waits. */
  async ask(pinned: PinnedArtifact, { held, isAsked }: Clearance): Promise<void> {
    if (held !== null && !isAsked) await this.approvals.askFor(pinned);
  }
}
