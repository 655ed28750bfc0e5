import { MINUTE_MS } from '../../common/system/index.js';
import { StoreFailure, type FailureKind } from '../failures/index.js';
import type { CloudBuild, StoreItem } from '../store.js';
import type { SafariApp } from './safari.api.js';
import type { SafariCloudClient } from './safari.cloud-client.js';
import {
  handlesOf,
  hasFailed,
  newest,
  passedOf,
  recordIn,
  type CloudRecord,
  type CloudRun,
} from './safari.cloud-runs.js';

/** Time within which a run is listed after it was started, at the latest (_inferred_; src/stores/README.md#safari-xcode-cloud). */
const LISTED_WITHIN_MS = 10 * MINUTE_MS;

/**
 * Has Xcode Cloud build a version once, and follows the run (src/stores/README.md#safari-xcode-cloud). A repeated start is another run, so each call
 * first looks for one, and after an unclear answer only looks for some minutes.
 */
export class SafariCloudBuild {
  private readonly of: string;
  private readonly own: CloudRecord;
  private readonly records: readonly CloudRecord[];

  constructor(
    private readonly calls: SafariCloudClient,
    private readonly app: SafariApp,
    private readonly version: string,
    handles: StoreItem['handles'],
    private readonly wanted: CloudBuild,
  ) {
    this.of = `${wanted.workflow} ${wanted.tag}`;
    const own = recordIn(handles, this.of);
    this.records = [own, ...wanted.others.map((others) => recordIn(others, this.of))];
    const isInDoubt = wanted.isUnclear || (wanted.wasUnclear && own.run === null && own.soughtSince === null);
    this.own = { ...own, soughtSince: isInDoubt ? calls.now() : latest(this.records) };
  }

  /** @returns what there is to wait for, or what a person must do: a version without a build cannot be submitted */
  async next(): Promise<StoreFailure> {
    try {
      return await this.look();
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      // A doubt about an earlier start outlasts a failure of another call.
      return new StoreFailure(error.kind, error.message, { ...error.details, handles: handlesOf(this.own, this.of) });
    }
  }

  private async look(): Promise<StoreFailure> {
    const { workflow, tag, askedAt } = this.wanted;
    const followed = newest(this.records.flatMap(({ run }) => run ?? []));
    const current = followed === undefined ? null : await this.calls.run(this.app, followed.id);
    if (current !== null && !hasFailed(current)) return this.about(current);
    const referenceId = await this.calls.tag(this.app, workflow, tag);
    if (referenceId === undefined)
      return this.failure(
        'wait',
        `Xcode Cloud does not know the tag ${tag} in the repository of its workflow. Push the tag, and Pierhead starts the workflow.`,
      );
    const passed = passedOf(this.records, askedAt);
    const listed = await this.calls.runs(this.app, workflow, referenceId);
    const run = newest([...listed, ...(current === null ? [] : [current])].filter(({ number }) => number > passed));
    return run === undefined ? this.start(referenceId) : this.about(run);
  }

  private about(run: CloudRun): StoreFailure {
    const { tag } = this.wanted;
    const { id, number, progress, status } = run;
    const name = `Run ${number} of Xcode Cloud`;
    const isSame = this.own.run?.id === id;
    const failedAt = hasFailed(run) ? ((isSame ? this.own.failedAt : null) ?? this.calls.now()) : null;
    // That a run is there answers whether Apple has heard of it.
    const change = { run: { id, number }, failedAt, soughtSince: null };
    if (progress !== 'COMPLETE') return this.failure('wait', `${name} builds the tag ${tag}.`, change, run);
    if (failedAt !== null)
      return this.failure(
        'config',
        `${name} on the tag ${tag} made no build: it ended as ${status}. See why under Xcode Cloud at https://appstoreconnect.apple.com/apps/${this.app.appId}; then resubmit the version to start another run, or deliver a build otherwise.`,
        change,
        run,
      );
    const ended =
      status === 'SUCCEEDED'
        ? `${name} has built the tag ${tag}, but no build of version ${this.version} has been delivered to App Store Connect yet. The workflow must archive the app with this version and distribute it to App Store Connect.`
        : `${name} on the tag ${tag} ended in a way that Apple does not document.`;
    return this.failure('wait', ended, change, run);
  }

  /** The intent of the step was saved before this; a crash leaves it, and the next attempt is told so. */
  private async start(referenceId: string): Promise<StoreFailure> {
    const { workflow, tag } = this.wanted;
    const { soughtSince } = this.own;
    if (soughtSince !== null && this.calls.now().getTime() - soughtSince.getTime() < LISTED_WITHIN_MS)
      return this.failure(
        'wait',
        `It is not certain whether Xcode Cloud was told to build the tag ${tag}. Pierhead looks for the run for some minutes before it starts one.`,
      );
    const { id, number } = await this.calls.start(this.app, workflow, referenceId);
    return this.failure('wait', `Run ${number} of Xcode Cloud was started on the tag ${tag}.`, {
      run: { id, number },
      failedAt: null,
      soughtSince: null,
    });
  }

  private failure(
    kind: FailureKind,
    message: string,
    change: Partial<CloudRecord> = {},
    raw: unknown = null,
  ): StoreFailure {
    return new StoreFailure(kind, message, { handles: handlesOf({ ...this.own, ...change }, this.of), raw });
  }
}

/** When the start was last in doubt on any platform: all share the run. */
function latest(records: readonly CloudRecord[]): Date | null {
  const times = records.flatMap(({ soughtSince }) => soughtSince?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times));
}
