import type { TargetWithStatus } from '../../targets/index.js';
import type { PinnedArtifact } from '../artifacts.repository.js';
import { scopesAt } from '../scope.js';
import type { ApprovalRow } from './approval.entity.js';

/** Whether a target may be sent a version, or what it waits for. */
export interface Clearance {
  /** Null when it may be sent. */
  readonly held: 'waiting' | 'rejected' | null;
  /** Why it is not sent, in a sentence. */
  readonly why: string;
  /** Whether somebody can decide about it. */
  readonly isAsked: boolean;
}

export const CLEARED: Clearance = { held: null, why: '', isAsked: true };

/** A request, by what decides whether a version is sent. */
export type Asked = Pick<
  ApprovalRow,
  | 'artifactId'
  | 'targetId'
  | 'scope'
  | 'sha256'
  | 'rollbackOf'
  | 'state'
  | 'act'
  | 'requestedBy'
  | 'decidedBy'
  | 'reason'
> & {
  /** That of its signed package; empty for any other content. */
  readonly platform: string;
};

/** The content that is to be sent. */
export type Sendable = Pick<PinnedArtifact, 'id' | 'version' | 'platform' | 'sha256' | 'rollbackOf'>;

/** Where it is to be sent. */
export type Receiver = Pick<TargetWithStatus, 'id' | 'store'>;

/**
 * Decides whether a content may be sent to a target: the newest request about the version there must be approved, and so must be the newest one
 * about the very content. The signed packages of several platforms do not wait for each other. Without the requirement, only a rejection keeps it, until somebody pins it again. Pure.
 * @param asked the requests about the version, newest first
 */
export function clearanceOf(
  isRequired: boolean,
  asked: readonly Asked[],
  content: Sendable,
  target: Receiver,
): Clearance {
  const concerning = asked.filter(
    ({ scope, targetId, platform }) =>
      scopesAt(target).includes(scope) &&
      (targetId === null ? areOfOne(platform, content.platform) : targetId === target.id),
  );
  const [newest] = concerning;
  if (!isRequired) return newest?.state === 'rejected' ? rejected(content, newest) : CLEARED;
  const own = concerning.find((one) => isOf(one, content));
  const undecided = [newest, own].find((one) => one?.state !== 'approved');
  if (newest === undefined || own === undefined || undecided?.state === 'withdrawn') return unasked(content);
  if (undecided === undefined) return CLEARED;
  return undecided.state === 'rejected' ? rejected(content, undecided) : waiting(content, undecided);
}

/** Whether both may go to one platform. Pure. */
const areOfOne = (one: string, other: string): boolean => one === '' || other === '' || one === other;

/** Whether a request is about this very content. */
export const isOf = (
  { artifactId, sha256, rollbackOf }: Pick<ApprovalRow, 'artifactId' | 'sha256' | 'rollbackOf'>,
  content: Pick<Sendable, 'id' | 'sha256' | 'rollbackOf'>,
): boolean => artifactId === content.id && sha256 === content.sha256 && rollbackOf === content.rollbackOf;

const VERBS: Readonly<Record<Asked['act'], string>> = {
  push: 'pushed it',
  pin: 'pinned it',
  rollback: 'asked for the roll back',
  resubmit: 'resubmits it',
  enable: 'enabled the target',
};

/** Who asked for what, such as `ann@author.example pushed it`. Pure. */
export const sentenceOfAct = ({ act, requestedBy }: Pick<Asked, 'act' | 'requestedBy'>): string =>
  `${requestedBy ?? 'somebody'} ${VERBS[act]}`;

const waiting = ({ version }: Sendable, asked: Asked): Clearance => ({
  held: 'waiting',
  why: `Version ${version} waits for approval: ${sentenceOfAct(asked)}, and another person has to approve it.`,
  isAsked: true,
});

const unasked = ({ version }: Sendable): Clearance => ({
  held: 'waiting',
  why: `Version ${version} waits for approval: another person than the one who pushed it has to approve it.`,
  isAsked: false,
});

const rejected = ({ version }: Sendable, { decidedBy, reason }: Asked): Clearance => ({
  held: 'rejected',
  why: `${decidedBy ?? 'Somebody'} rejected version ${version}: ${reason ?? ''} Push a mended package, or the same one to ask again.`,
  isAsked: true,
});
