import { asRecord, asText, truncate, redact, redactText } from '../../common/net/pure.js';
import { StoreFailure, withFullStop } from '../failures/index.js';
import type { StepOutcome } from '../store.js';
import { compareVersions } from '../version.js';
import { uploadStateOf, validationErrors, type AddonVersion, type Channel } from './firefox.states.js';

/**
 * Numbers are unique across both channels (src/stores/README.md#firefox-channels).
 * @throws StoreFailure `artifact` when this one is used in the other channel or by a disabled version
 */
export function assertUsable(found: AddonVersion, channel: Channel): AddonVersion {
  const { version } = found;
  const why =
    found.channel !== undefined && found.channel !== channel
      ? `is ${truncate(found.channel, 40)} at addons.mozilla.org, and a number cannot be used in both channels.`
      : found.state === 'disabled'
        ? 'is disabled or rejected at addons.mozilla.org, and a number cannot be used twice.'
        : null;
  if (why !== null)
    throw new StoreFailure('artifact', `Version ${version} ${why}`, { raw: redact(found), isNumberSpent: true });
  return found;
}

/** The outcome of an upload. Only a processed and valid one can become a version (src/stores/README.md#firefox-objects). */
export function uploadOutcome(upload: unknown, version: string): StepOutcome {
  const { uuid, version: read } = asRecord(upload) ?? {};
  const raw = redact(upload);
  const handles: Record<string, string> = typeof uuid === 'string' ? { upload: uuid } : {};
  const state = uploadStateOf(upload);
  if (state.known && state.value === 'failed') {
    const errors = validationErrors(upload);
    const message = `addons.mozilla.org found the package of version ${version} invalid.`;
    throw new StoreFailure('artifact', errors === '' ? message : `${message} ${withFullStop(errors)}`, { raw });
  }
  if (!state.known || state.value !== 'ready') {
    return { outcome: 'pending', note: `addons.mozilla.org is validating version ${version}.`, handles, raw };
  }
  const received = asText(read);
  if (received !== undefined && compareVersions(received, version) !== 0) {
    throw new StoreFailure('artifact', wrongVersion(version, received), { raw });
  }
  return { outcome: 'done', note: `addons.mozilla.org validated version ${version}.`, handles, raw };
}

export const wrongVersion = (version: string, received: string): string =>
  `The package was sent as version ${version}, but addons.mozilla.org read version ${truncate(received, 40)} from it.`;

/** What a submission has led to, for the timeline. Pure. */
export function submittedNote({ version, state, url }: AddonVersion, channel: Channel): string {
  const isSigned = state === 'signed';
  if (channel === 'listed')
    return isSigned ? `Version ${version} is approved.` : `Version ${version} was sent for review.`;
  if (!isSigned || url === undefined) return `Version ${version} was submitted to be signed.`;
  return `Version ${version} is signed; its file is at ${truncate(redactText(url), 500)}.`;
}
