import type { FieldError } from '../common/problems/index.js';
import type { Capabilities, Store } from '../stores/index.js';
import type { UpdateTarget } from './targets.dto.js';

/** The sentence about a setting that a store does not support; false where it does. */
type Refusal = (input: UpdateTarget, can: Capabilities, title: string) => string | false;

const supported: Refusal = () => false;

/** Every setting of a target: an entry each, so that a new one says which stores support it. */
const REFUSALS: Readonly<Record<keyof UpdateTarget, Refusal>> = {
  storeItemId: supported,
  crxId: supported,
  credentialId: supported,
  enabled: supported,
  platforms: ({ platforms = [] }, can, title) =>
    platforms.some((platform) => !can.platforms.includes(platform)) &&
    `may only contain ${can.platforms.join(', ')} for ${title}.`,
  channel: ({ channel }, { channels }, title) =>
    channel !== undefined &&
    !channels.includes(channel) &&
    (channels.length === 0 ? `${title} has no channels.` : `must be one of ${channels.join(', ')}.`),
  onPending: ({ onPending }, can, title) =>
    onPending === 'replace' &&
    !can.canCancel &&
    !can.supersedesPending &&
    `${title} cannot withdraw a submission; use wait.`,
  release: ({ release }, { stagedRelease }, title) =>
    release === 'manual' && !stagedRelease && `${title} publishes approved versions immediately; use auto.`,
  rolloutPercent: ({ rolloutPercent }, { percentRollout }, title) =>
    rolloutPercent != null && !percentRollout && `${title} offers a version to all users at once.`,
  releaseNotes: ({ releaseNotes }, can, title) =>
    releaseNotes != null && !can.releaseNotes && `${title} does not support release notes.`,
  reviewerNotes: ({ reviewerNotes }, can, title) =>
    reviewerNotes != null && !can.reviewerNotes && `${title} does not accept notes for reviewers from Pierhead.`,
  skipReview: ({ skipReview }, can, title) =>
    skipReview === true && !can.skipReview && `${title} reviews every version.`,
  signedUploads: ({ signedUploads }, can, title) =>
    signedUploads === true && !can.signedPackages && `${title} takes no .crx packages.`,
  watched: supported,
  fileWatched: ({ fileWatched }, can, title) =>
    fileWatched === true && !can.servedFile && `Pierhead cannot read the files that ${title} serves.`,
  preflight: ({ preflight }, can, title) =>
    preflight === 'off' && !can.requiresArtifact && `Pierhead sends ${title} no package; use hold.`,
  encryption: ({ encryption }, can, title) =>
    encryption != null && !can.exportCompliance && `${title} does not ask about encryption.`,
  xcodeCloudWorkflow: ({ xcodeCloudWorkflow }, can, title) =>
    xcodeCloudWorkflow != null && !can.cloudBuilds && `Xcode Cloud does not build for ${title}.`,
  xcodeCloudTag: ({ xcodeCloudTag }, can, title) =>
    xcodeCloudTag !== undefined && !can.cloudBuilds && `Xcode Cloud does not build for ${title}.`,
  storefront: ({ storefront }, can, title) =>
    storefront !== undefined && !can.storefronts && `${title} has the same ratings in every country.`,
};

export const SETTINGS = Object.keys(REFUSALS) as readonly (keyof UpdateTarget)[];

/** The settings that a store does not support, each with what it allows instead. Pure. */
export const unsupportedSettings = ({ title, capabilities }: Store, input: UpdateTarget): readonly FieldError[] =>
  Object.entries(REFUSALS).flatMap(([field, refusal]) => {
    const message = refusal(input, capabilities, title);
    return message === false ? [] : [{ field, message }];
  });
