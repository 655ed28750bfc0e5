import { Injectable } from '@nestjs/common';
import { ServedPackagesService, UnreadableFile, type SentPackage } from '../artifacts/index.js';
import { Config } from '../common/config/index.js';
import { Hook } from '../common/database/index.js';
import { TemporaryFiles } from '../common/storage/index.js';
import { EventsService } from '../registry/index.js';
import { compareVersions, StoreFailure, Stores, type ServedFile, type Store } from '../stores/index.js';
import { TargetsRepository, type TargetWithStatus } from '../targets/index.js';
import { ReleasesRepository } from './releases/releases.repository.js';
import { eventOfFile, eventOfUnread, newsOf, type FileOutcome, type ToldOfFile } from './planning/served-file-news.js';

/** More rollbacks to rollbacks than anybody makes. */
const MAX_ROLLBACKS = 10;
/** A store packs and signs anew: its file may be larger than the largest package that Pierhead takes. */
const LARGER_BY = 2;

/** A target, as far as the file at its store is concerned. */
type WatchedTarget = Pick<TargetWithStatus, 'id' | 'extensionId'>;

/** Compares the file that a store serves to users with the package that it was sent, where a target asks for it. */
@Injectable()
export class ServedFilesService {
  /** Runs inside the transaction that records that a store serves another version. */
  readonly versionChanged = new Hook<TargetWithStatus>();

  constructor(
    private readonly config: Config,
    private readonly temporary: TemporaryFiles,
    private readonly stores: Stores,
    private readonly targets: TargetsRepository,
    private readonly releases: ReleasesRepository,
    private readonly packages: ServedPackagesService,
    private readonly events: EventsService,
  ) {}

  /** Downloads the file and compares it. @returns null where that is not wanted @throws StoreFailure where it cannot be done now */
  async compare({ extensionId, id }: WatchedTarget): Promise<FileOutcome | null> {
    const target = await this.targets.find(extensionId, id);
    if (target === null || !target.watched || !target.fileWatched) return null;
    const store = this.stores.for(target.store);
    const served = await offeredAt(store, target);
    if (served === null) return null;
    assertCurrent(served, target.status, store);
    const { version } = served;
    const sent = await this.findSent(target, version);
    if (sent === null) return { result: 'not_sent', version };
    const path = await this.temporary.path();
    try {
      await store.download(served, path, LARGER_BY * this.config.artifactMaxBytes);
      const differences = await this.packages.compare(sent, version, path, store);
      return differences === null ? { result: 'same', version } : { result: 'differs', version, differences };
    } finally {
      await this.temporary.discard(path);
    }
  }

  /** Tells the timeline an outcome, unless it was told. Part of the caller's transaction. @returns what has been told then */
  async tell(of: WatchedTarget, before: ToldOfFile, outcome: FileOutcome): Promise<ToldOfFile> {
    const { isNews, told } = newsOf(before, outcome);
    if (isNews) await this.events.append(eventOfFile(await this.about(of), outcome));
    return told;
  }

  /** Tells the timeline that the file cannot be read, unless it was told. Part of the caller's transaction. */
  async tellUnread(of: WatchedTarget, before: ToldOfFile, failure: StoreFailure): Promise<ToldOfFile> {
    const { message: why } = failure;
    if (failure instanceof UnreadableFile)
      return this.tell(of, before, { result: 'unreadable', version: failure.version, why });
    if (!before.isUnread) await this.events.append(eventOfUnread(await this.about(of), why));
    return { ...before, isUnread: true };
  }

  /** The package that Pierhead sent as a version, or as the one that this version brings back; null where none is kept. */
  private async findSent(target: TargetWithStatus, version: string) {
    let sent: SentPackage | null = null;
    let wanted: string | null = version;
    for (let step = 0; wanted !== null && step <= MAX_ROLLBACKS; step += 1) {
      const release = await this.releases.findSubmitted(target, wanted);
      sent = release && (await this.packages.find(release.artifactId));
      wanted = sent?.rollbackOf ?? null;
    }
    return sent === null || sent.index === null ? null : { ...sent, index: sent.index };
  }

  private async about({ extensionId, id }: WatchedTarget) {
    const target = await this.targets.find(extensionId, id);
    if (target === null) throw new Error('A target that is being read exists');
    return { target, store: this.stores.for(target.store), platform: null };
  }
}

/** The file that is offered to users; null for none before anything is live. @throws StoreFailure */
async function offeredAt(store: Store, target: TargetWithStatus): Promise<ServedFile | null> {
  try {
    return await store.servedFile(target);
  } catch (error) {
    // The release that goes live has it read again.
    if (error instanceof StoreFailure && error.kind === 'wait' && target.status.liveVersion === null) return null;
    throw error;
  }
}

/** A new version reaches the update service later than the API; while only some users get it, the service may offer either. */
function assertCurrent(
  { version }: ServedFile,
  { liveVersion, offeredPercent }: TargetWithStatus['status'],
  { title }: Pick<Store, 'title'>,
): void {
  if (liveVersion === null || offeredPercent !== null || compareVersions(version, liveVersion) === 0) return;
  throw new StoreFailure('wait', `${title} offers browsers version ${version}, while ${liveVersion} is live.`);
}
