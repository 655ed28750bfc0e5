import { Injectable } from '@nestjs/common';
import {
  AddonsLinter,
  linterFindings,
  longNotes,
  type ReleaseNotes,
  Stores,
  type StoreFinding,
  type StoreId,
  unknownLocales,
} from '../../stores/index.js';
import { DestinationsService, type Destination } from '../../targets/index.js';
import {
  concernedBy,
  type PackageManifest,
  pushWarnings,
  versionWarnings,
  type PushTarget,
  type Warning,
} from '../archive/index.js';
import { PackageReader, type ReceivedPackage } from '../packages/index.js';
import type { Order } from './push-texts.js';
import { readPush } from './read-push.js';
import { VersionsService } from './versions.service.js';
import { FindingsService, type FindingDecision, type PushedFinding } from '../findings/index.js';

/** The store whose linter may be installed. */
const LINTED: StoreId = 'firefox';

/** A version as it is pushed. */
export interface PushedVersion {
  readonly extensionId: string;
  readonly storeVersion: string;
  /** Null for a version without a package. */
  readonly manifest: PackageManifest | null;
  readonly findings: readonly StoreFinding[];
  /** Null while that is not known. */
  readonly hasNotes: boolean | null;
  readonly releaseNotes: ReleaseNotes;
}

/** Answer to a push, besides its artifact. */
export interface Judgement {
  readonly warnings: readonly Warning[];
  readonly findings: readonly PushedFinding[];
}

/** Says what is to be expected of a version where it goes. */
@Injectable()
export class PushJudgementService {
  constructor(
    private readonly stores: Stores,
    private readonly versions: VersionsService,
    private readonly findings: FindingsService,
    private readonly destinations: DestinationsService,
    private readonly linter: AddonsLinter,
    private readonly reader: PackageReader,
  ) {}

  /** Reads a package that has arrived in a file. @throws InvalidPackage, InvalidPackageManifest, PackageTooCostly, VersionMismatch */
  read(order: Order, path: string, received: ReceivedPackage): ReturnType<typeof readPush> {
    const { store } = order.place;
    return readPush(path, received, order.version, {
      reader: this.reader,
      mayBeApp: store !== null && this.stores.for(store).capabilities.appPackages,
      lint: (found) => this.lint(order, path, found),
    });
  }

  /** What the linter of Firefox Add-ons says about a zip that goes there, besides what the rules have found. */
  private async lint(
    { extension, place }: Pick<Order, 'extension' | 'place'>,
    path: string,
    found: readonly StoreFinding[],
  ): Promise<readonly StoreFinding[]> {
    if (!this.linter.isInstalled || (place.store ?? LINTED) !== LINTED) return [];
    const places = await this.destinations.placesOf(extension);
    if (!places.some((one) => one.store === LINTED && one.enabled)) return [];
    return linterFindings(await this.linter.errorsIn(path), found);
  }

  async judge(pushed: PushedVersion, all: readonly Destination[]): Promise<Judgement> {
    const { extensionId, storeVersion, manifest, hasNotes, releaseNotes } = pushed;
    const concerning = new Set(
      concernedBy({ destinations: all }).flatMap((one) =>
        this.stores
          .for(one.store)
          .concerning(pushed.findings, one)
          .map(({ id }) => id),
      ),
    );
    const mine = pushed.findings.filter(({ id }) => concerning.has(id));
    const findings = await this.findings.shown({ extensionId, storeVersion, findings: mine });
    const accepted = new Set(findings.filter(({ acceptedAt }) => acceptedAt !== null).map(({ id }) => id));
    const refusable = mine.filter(({ id }) => !accepted.has(id));
    const destinations = all.map((one) => this.toPushTarget(one, refusable, releaseNotes));
    if (manifest === null) return { warnings: versionWarnings({ destinations, hasNotes }), findings };
    const previous = await this.versions.liveManifest(extensionId, all);
    return { warnings: pushWarnings({ manifest, hasNotes, previous, destinations }), findings };
  }

  /** The decisions because of which findings do not hold a version. */
  decisions(extensionId: string, storeVersion: string): Promise<readonly FindingDecision[]> {
    return this.findings.decisions(extensionId, storeVersion);
  }

  private toPushTarget(destination: Destination, findings: readonly StoreFinding[], pushed: ReleaseNotes): PushTarget {
    const store = this.stores.for(destination.store);
    const { enabled, liveVersion, releaseNotes } = destination;
    return {
      title: store.title,
      enabled,
      findings: store.concerning(findings, destination),
      unknownLocales: unknownLocales(store.capabilities, pushed),
      cutsNotesAt: longNotes(store.capabilities, pushed).length > 0 ? store.capabilities.releaseNotesMaxLength : null,
      needsNotes: store.capabilities.releaseNotesRequired && liveVersion !== null && releaseNotes === null,
    };
  }
}
