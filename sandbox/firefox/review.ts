import type { Addon, AddonVersion, Channel } from './addon.js';

/** The version in review in a channel. */
export const pendingReviewOf = ({ versions }: Addon, channel?: Channel): AddonVersion | undefined =>
  versions.findLast((one) => one.status === 'unreviewed' && (channel === undefined || one.channel === channel));

/** Approves and signs a version. */
export function approve(version: AddonVersion): void {
  version.status = 'public';
  version.wasApproved = true;
}

/** Rejects a version. Only the file's status shows it (src/stores/README.md#firefox-states). */
export function reject(version: AddonVersion): void {
  version.status = 'disabled';
}

/** The developer disables a version, whose number stays used (src/stores/README.md#firefox-channels). */
export function disable(version: AddonVersion): void {
  version.status = 'disabled';
  version.isDisabled = true;
}

/** Approves the versions whose review is due to end. */
export function applyDue(addon: Addon, now: Date): void {
  const delays = { listed: addon.approveAfterSeconds, unlisted: addon.signAfterSeconds };
  for (const version of addon.versions) {
    const delay = delays[version.channel];
    const age = now.getTime() - version.createdAt.getTime();
    if (version.status === 'unreviewed' && delay !== null && age >= delay * 1000) approve(version);
  }
}
