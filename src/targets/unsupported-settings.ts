import type { FieldError } from '../common/problems/index.js';
import type { Capabilities, Store } from '../stores/index.js';
import type { UpdateTarget } from './targets.dto.js';

/** A setting that some stores do not support, and what such a store allows instead. */
interface Rule {
  readonly field: keyof UpdateTarget;
  readonly isUnsupported: (input: UpdateTarget, capabilities: Capabilities) => boolean;
  readonly message: (title: string, capabilities: Capabilities) => string;
}

const RULES: readonly Rule[] = [
  {
    field: 'platforms',
    isUnsupported: ({ platforms = [] }, can) => platforms.some((platform) => !can.platforms.includes(platform)),
    message: (title, { platforms }) => `may only contain ${platforms.join(', ')} for ${title}.`,
  },
  {
    field: 'channel',
    isUnsupported: ({ channel }, { channels }) => channel !== undefined && !channels.includes(channel),
    message: (title, { channels }) =>
      channels.length === 0 ? `${title} has no channels.` : `must be one of ${channels.join(', ')}.`,
  },
  {
    field: 'onPending',
    isUnsupported: ({ onPending }, can) => onPending === 'replace' && !can.canCancel && !can.supersedesPending,
    message: (title) => `${title} cannot withdraw a submission; use wait.`,
  },
  {
    field: 'release',
    isUnsupported: ({ release }, { stagedRelease }) => release === 'manual' && !stagedRelease,
    message: (title) => `${title} publishes approved versions immediately; use auto.`,
  },
  {
    field: 'rolloutPercent',
    isUnsupported: ({ rolloutPercent }, { percentRollout }) => rolloutPercent != null && !percentRollout,
    message: (title) => `${title} offers a version to all users at once.`,
  },
  {
    field: 'releaseNotes',
    isUnsupported: ({ releaseNotes }, can) => releaseNotes != null && !can.releaseNotes,
    message: (title) => `${title} does not support release notes.`,
  },
  {
    field: 'reviewerNotes',
    isUnsupported: ({ reviewerNotes }, can) => reviewerNotes != null && !can.reviewerNotes,
    message: (title) => `${title} does not accept notes for reviewers from Pierhead.`,
  },
  {
    field: 'skipReview',
    isUnsupported: ({ skipReview }, can) => skipReview === true && !can.skipReview,
    message: (title) => `${title} reviews every version.`,
  },
  {
    field: 'preflight',
    isUnsupported: ({ preflight }, can) => preflight === 'off' && !can.requiresArtifact,
    message: (title) => `Pierhead sends ${title} no package; use hold.`,
  },
  {
    field: 'encryption',
    isUnsupported: ({ encryption }, can) => encryption != null && !can.exportCompliance,
    message: (title) => `${title} does not ask about encryption.`,
  },
];

/** The settings that a store does not support, each with what it allows instead. Pure. */
export const unsupportedSettings = ({ title, capabilities }: Store, input: UpdateTarget): readonly FieldError[] =>
  RULES.filter(({ isUnsupported }) => isUnsupported(input, capabilities)).map(({ field, message }) => ({
    field,
    message: message(title, capabilities),
  }));
