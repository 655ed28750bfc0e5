import { randomInt, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { ControlRefusal } from '../control-refusal.js';
import type { SimClock } from '../sim-clock.js';
import { type Account, Accounts } from './accounts.js';
import { type Addon, type AddonVersion, NOTHING_COUNTED, type Upload } from './addon.js';
import { applyDue } from './review.js';

/** How long an unused upload is kept (src/stores/README.md#firefox-objects). */
const UPLOAD_LIFE_MS = 15 * 24 * 60 * 60 * 1000;

/** Values that are generated when absent. */
export interface AddonOptions {
  readonly guid?: string | undefined;
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
}

/** The state of the stand-in. */
export class FirefoxWorld {
  readonly accounts = new Accounts();
  /** The site's maintenance mode and notice. */
  readonly site: { readOnly: boolean; notice: string | null } = { readOnly: false, notice: null };
  private readonly addons = new Map<string, Addon>();
  private readonly uploads = new Map<string, Upload>();
  private lastVersionId = 5_000_000;

  constructor(readonly clock: SimClock) {}

  createAddon({ issuer }: Account, options: AddonOptions): Addon {
    const guid = options.guid ?? `{${randomUUID()}}`;
    const id = randomInt(1_000_000, 100_000_000);
    const slug = options.slug ?? `addon-${id}`;
    if (this.addons.has(guid) || [...this.addons.values()].some((one) => one.slug === slug)) {
      throw new ControlRefusal(409, `add-on ${guid} or ${slug} exists already`);
    }
    const addon: Addon = {
      id,
      guid,
      slug,
      name: options.name ?? slug,
      defaultLocale: 'en-US',
      authors: [issuer],
      isDisabled: false,
      averageDailyUsers: 0,
      weeklyDownloads: 0,
      stars: [0, 0, 0, 0, 0],
      ratings: [],
      replacedDigest: null,
      missingMetadata: [],
      approveAfterSeconds: null,
      signAfterSeconds: 0,
      isTakenDown: false,
      versions: [],
      usedNumbers: [],
      counters: { ...NOTHING_COUNTED },
    };
    this.addons.set(guid, addon);
    return addon;
  }

  removeAddon({ guid }: Addon): void {
    this.addons.delete(guid);
  }

  /** The current add-on, by number, GUID or slug (src/stores/README.md#firefox-ids): reviews that are due to end have ended. */
  addon(key: string): Addon | undefined {
    const isGuid = /^\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$|^[^@\s]*@[^@\s]+$/i.test(key);
    const found = isGuid ? this.addons.get(key) : this.named(key);
    if (found) applyDue(found, this.clock.now());
    return found;
  }

  list(): readonly Addon[] {
    return [...this.addons.keys()].flatMap((guid) => this.addon(guid) ?? []);
  }

  /** The add-on that a version belongs to. */
  withVersion(id: number): { addon: Addon; version: AddonVersion } | undefined {
    for (const { guid, versions } of this.addons.values()) {
      if (!versions.some((one) => one.id === id)) continue;
      const addon = this.addon(guid);
      const version = addon?.versions.find((one) => one.id === id);
      if (addon && version) return { addon, version };
    }
    return undefined;
  }

  newVersionId(): number {
    return ++this.lastVersionId;
  }

  keepUpload(upload: Upload): void {
    this.uploads.set(upload.uuid, upload);
  }

  uploadsOf(issuer: string): Upload[] {
    const all = [...this.uploads.values()].filter((upload) => upload.issuer === issuer && !this.isGone(upload));
    return all.toReversed();
  }

  upload(uuid: string, issuer: string): Upload | undefined {
    const upload = this.uploads.get(uuid);
    return upload?.issuer === issuer && !this.isGone(upload) ? upload : undefined;
  }

  reset(): void {
    for (const { file } of this.uploads.values()) rmSync(file.path, { force: true });
    this.accounts.clear();
    this.addons.clear();
    this.uploads.clear();
    this.site.readOnly = false;
    this.site.notice = null;
  }

  private named(key: string): Addon | undefined {
    const isNumber = /^\d+$/.test(key);
    return [...this.addons.values()].find(({ id, slug }) => (isNumber ? String(id) === key : slug === key));
  }

  private isGone({ createdAt, isSubmitted }: Upload): boolean {
    return !isSubmitted && this.clock.now().getTime() - createdAt.getTime() > UPLOAD_LIFE_MS;
  }
}
