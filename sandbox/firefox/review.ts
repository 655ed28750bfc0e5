import type { Addon, AddonVersion, Channel } from './addon.js';

/** The version that waits for its review in a channel. */
export const awaiting = ({ versions }: Addon, channel?: Channel): AddonVersion | undefined =>
  versions.findLast((one) => one.status === 'unreviewed' && (channel === undefined || one.channel === channel));

/** The reviewer, or the machine, says yes: the version is signed. */
export function approve(version: AddonVersion): void {
  version.status = 'public';
  version.wasApproved = true;
}

/** The reviewer says no; nothing but the file's status tells it (docs/stores.md#firefox-states). */
export function reject(version: AddonVersion): void {
  version.status = 'disabled';
}

/** The developer takes a version back, and its number is burnt (docs/stores.md#firefox-channels). */
export function disable(version: AddonVersion): void {
  version.status = 'disabled';
  version.isDisabled = true;
}

/** Lets the reviews end that were to end by themselves by now. */
export function settle(addon: Addon, now: Date): void {
  const delays = { listed: addon.approveAfterSeconds, unlisted: addon.signAfterSeconds };
  for (const version of addon.versions) {
    const delay = delays[version.channel];
    const age = now.getTime() - version.createdAt.getTime();
    if (version.status === 'unreviewed' && delay !== null && age >= delay * 1000) approve(version);
  }
}
