import { MINUTE_MS } from '../../common/system/index.js';
import { StoreFailure } from '../failures/index.js';
import type { Observed, StepOutcome, StorePackage } from '../store.js';
import { known, UNKNOWN } from '../store.js';
import { openPackage } from '../store-http.js';
import type { SafariApp } from './safari.api.js';
import { spellingsOf, type SafariBuild } from './safari.builds.js';
import type { SafariClient } from './safari.client.js';
import { isConflict } from './safari.errors.js';
import { assertAboveReleased } from './safari.submission-plan.js';
import type { SafariUploadClient } from './safari.upload-client.js';
import { fileNameOf, planUpload, uploadStateOf, type BuildUpload, type UploadFile } from './safari.uploads.js';

/** The ids that an upload leaves, by name. */
export interface UploadHandles {
  /** The id of the upload. */
  readonly buildUpload?: string;
  readonly buildFile?: string;
  /** Numbers of the parts of the file that were sent, joined by commas. */
  readonly sentParts?: string;
  /** The id of the build that came of it. */
  readonly uploadedBuild?: string;
}

/** A file whose parts are taken for less time than this is replaced. */
const LEAST_MS = MINUTE_MS;

/** A package with its build number. */
interface Numbered {
  readonly pkg: StorePackage;
  readonly version: string;
  readonly number: string;
  readonly name: string;
}

/**
 * Uploads one signed package (src/stores/README.md#safari-uploads). Each call first looks for what an earlier attempt has left, so after a crash or a
 * lost answer the whole can be started again.
 */
export class SafariUpload {
  constructor(
    private readonly client: SafariClient,
    private readonly calls: SafariUploadClient,
    private readonly app: SafariApp,
    private readonly handles: UploadHandles,
  ) {}

  /** The state of the upload, for the planner. */
  async observe(): Promise<Observed['upload']> {
    const { buildUpload, uploadedBuild } = this.handles;
    if (uploadedBuild !== undefined && uploadedBuild !== '') return known('ready');
    if (buildUpload === undefined) return known('none');
    const upload = await this.calls.upload(this.app, buildUpload);
    const state = upload === null ? 'none' : uploadStateOf(upload);
    return state === undefined ? UNKNOWN : known(state);
  }

  /** @throws StoreFailure `artifact` when Apple refuses the package, or has another one under its build number */
  async send(pkg: StorePackage): Promise<StepOutcome> {
    const { version, buildNumber, sha256, size } = pkg;
    if (buildNumber === undefined) throw new StoreFailure('artifact', 'The package is not one for the App Store.');
    assertAboveReleased((await this.client.versions(this.app)).versions, version);
    const own = { pkg, version, number: buildNumber, name: fileNameOf(this.app.platform, sha256) };
    const uploads = await this.calls.uploads(this.app, version, buildNumber);
    const hasBuild = (await this.builds(version)).some(({ number }) => number === buildNumber);
    const plan = planUpload(uploads, { ...own, size }, hasBuild);
    if (plan.do === 'follow') return this.follow(plan.upload, own);
    const uploadId = plan.upload?.id ?? (await this.calls.createUpload(this.app, version, buildNumber));
    const fileId = await this.sendFile(uploadId, plan.upload?.file?.id ?? null, own);
    await this.finish(uploadId, fileId, own);
    const sent = await this.calls.upload(this.app, uploadId);
    if (sent !== null) return this.follow(sent, own);
    return this.pending(uploadId, `Build ${buildNumber} of version ${version} was uploaded.`);
  }

  /** Asks what has become of the upload. */
  async poll(version: string): Promise<StepOutcome> {
    const { buildUpload } = this.handles;
    const upload = buildUpload === undefined ? null : await this.calls.upload(this.app, buildUpload);
    if (upload === null)
      throw new StoreFailure('retry', `App Store Connect no longer has the upload of version ${version}.`, {
        isFinal: true,
      });
    return this.follow(upload, { version, number: upload.number ?? '' });
  }

  private builds(version: string): Promise<SafariBuild[]> {
    return this.client.builds(this.app, spellingsOf(version));
  }

  private async follow(
    upload: BuildUpload,
    { version, number }: Pick<Numbered, 'version' | 'number'>,
  ): Promise<StepOutcome> {
    const name = `Build ${number} of version ${version}`;
    if (upload.state === 'FAILED')
      throw new StoreFailure(
        'artifact',
        `${upload.errors || `${name} was refused, without a reason.`} Build the app again with a higher build number, and push it.`,
        { raw: upload },
      );
    const waiting = this.pending(upload.id, `${name} was uploaded; Apple is processing it.`);
    if (upload.state !== 'COMPLETE') return waiting;
    const build = (await this.builds(version)).find((one) => one.number === number);
    if (build?.processing === 'VALID')
      return {
        outcome: 'done',
        handles: { buildUpload: upload.id, uploadedBuild: build.id },
        note: `${name} was uploaded, and Apple has processed it.`,
        raw: upload,
      };
    if (build?.processing === 'FAILED' || build?.processing === 'INVALID')
      throw new StoreFailure(
        'artifact',
        `Apple found ${name.toLowerCase()} invalid; an e-mail from Apple says why. Build the app again with a higher build number, and push it.`,
        { raw: upload },
      );
    return waiting;
  }

  private pending(uploadId: string, note: string): StepOutcome {
    return { outcome: 'pending', handles: { buildUpload: uploadId, uploadedBuild: '' }, note, raw: null };
  }

  /** Sends what is missing of the package, and what Apple no longer takes once more as a new file. @returns the file's id */
  private async sendFile(uploadId: string, knownFile: string | null, own: Numbered): Promise<string> {
    const { pkg, name } = own;
    const found = knownFile === null ? null : await this.calls.file(this.app, knownFile, pkg.size);
    if (found?.isUploaded === true) return found.id;
    if (found !== null && this.isOpen(found) && (await this.sendParts(uploadId, found, pkg))) return found.id;
    const file = await this.calls.createFile(this.app, uploadId, { name, size: pkg.size });
    if (this.isOpen(file) && (await this.sendParts(uploadId, file, pkg))) return file.id;
    throw new StoreFailure('retry', 'Apple did not take a part of the package.');
  }

  private isOpen({ parts, expiresAt }: UploadFile): boolean {
    return parts.length > 0 && (expiresAt === null || expiresAt.getTime() > this.calls.now().getTime() + LEAST_MS);
  }

  /** @returns whether Apple took every part */
  private async sendParts(uploadId: string, { id, parts }: UploadFile, pkg: StorePackage): Promise<boolean> {
    const before = this.handles.buildFile === id ? (this.handles.sentParts ?? '') : '';
    const sent = new Set(before.split(',').filter((number) => number !== ''));
    for (const part of parts) {
      if (sent.has(part.number)) continue;
      try {
        const { offset, length } = part;
        const body = await openPackage({ open: () => pkg.open({ offset, length }) });
        if (!(await this.calls.sendPart(part, body))) return false;
      } catch (error) {
        const handles = { buildUpload: uploadId, buildFile: id, sentParts: [...sent].join(',') };
        throw error instanceof StoreFailure
          ? new StoreFailure(error.kind, error.message, { ...error.details, handles })
          : error;
      }
      sent.add(part.number);
    }
    return true;
  }

  /** An answer that was lost leaves the file finished. */
  private async finish(uploadId: string, fileId: string, { pkg }: Numbered): Promise<void> {
    try {
      await this.calls.finishFile(this.app, fileId, pkg.sha256);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const upload = await this.calls.upload(this.app, uploadId);
      if (upload === null || upload.state === 'AWAITING_UPLOAD')
        throw new StoreFailure('retry', error.message, error.details);
    }
  }
}
