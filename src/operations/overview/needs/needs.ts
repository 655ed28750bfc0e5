import type { StoreId } from '../../../stores/pure.js';
import {
  displayOfPhase,
  isYours,
  PHASE_FACTS,
  type Phase,
  type PhaseOfYours,
  type Tone,
} from '../../../targets/pure.js';
import { actOn, type Act, type Rights } from './acts.js';
import { NEED_KINDS, type Need, type NeedKind, type NeedTurn } from './need.js';

/** A target that may need attention. */
export interface TargetFact {
  readonly targetId: string;
  readonly extensionId: string;
  readonly extensionName: string;
  readonly store: StoreId;
  readonly storeTitle: string;
  /** The author's dashboard at the store. */
  readonly dashboard: string;
  readonly phase: Phase;
  readonly since: Date | null;
  /** Why, in the store's words. */
  readonly message: string;
  readonly version: string | null;
  /** The version is not sent, since the store would refuse it. */
  readonly refusable: boolean;
  /** The version is not sent, since another person has not approved it, or has rejected it. */
  readonly approval: 'waiting' | 'rejected' | null;
  readonly isStalled: boolean;
  readonly isReleasedByHand: boolean;
  readonly isReleaseRequested: boolean;
  readonly credentialId: string | null;
  /** The store refused the credential when it was last asked. */
  readonly isCredentialRefused: boolean;
}

/** A credential that may need attention. */
export interface CredentialFact {
  readonly credentialId: string;
  readonly title: string;
  readonly label: string | null;
  /** Null unless it has expired or soon will. */
  readonly expiresAt: Date | null;
  /** Sales of the processor's test mode make licenses. */
  readonly acceptsTests: boolean;
}

/** A version that waits for the approval of another person. */
export interface ApprovalFact {
  readonly approvalId: string;
  readonly extensionId: string;
  readonly extensionName: string;
  readonly version: string;
  /** The one store it is for; null for all. */
  readonly store: StoreId | null;
  readonly requestedBy: string | null;
  readonly since: Date;
  /** The caller may decide about it. */
  readonly isYours: boolean;
}

/** An extension of whose trials much of today's number has begun, or some were refused. */
export interface TrialFact {
  readonly extensionId: string;
  readonly extensionName: string;
  readonly begun: number;
  readonly refused: number;
}

/** Things that wait, counted up to a limit, and since when the oldest waits. */
export interface Waiting {
  readonly count: number;
  readonly since: Date | null;
}

export interface NeedFacts {
  readonly rights: Rights;
  readonly targets: readonly TargetFact[];
  readonly credentials: readonly CredentialFact[];
  readonly approvals: readonly ApprovalFact[];
  readonly sales: Waiting;
  readonly codes: Waiting;
  readonly notifications: Waiting;
  readonly trials: readonly TrialFact[];
  /** Trials of an extension that may begin in a day. */
  readonly trialsPerExtension: number;
}

type Plain = Omit<Need, 'key' | 'tone' | keyof Act>;

const NO_DETAILS = {
  message: null,
  at: null,
  extensionId: null,
  targetId: null,
  credentialId: null,
  approvalId: null,
  store: null,
  version: null,
  url: null,
};

/** Returns what needs attention, most urgent first, and oldest first within a kind. Pure. */
export function needsOf(facts: NeedFacts, now: Date): readonly Need[] {
  const { targets, credentials, approvals, sales, codes, notifications, trials, trialsPerExtension } = facts;
  const needs: readonly Plain[] = [
    ...refusedCredentials(targets),
    ...targets.filter((target) => !refuses(target)).flatMap(ofTarget),
    ...credentials.flatMap((credential) => ofCredential(credential, now)),
    ...approvals.map(ofApproval),
    ...ofWaiting('sales_unmapped', sales),
    ...ofWaiting('codes_undelivered', codes),
    ...ofWaiting('notifications_undelivered', notifications),
    ...trials.map((fact) => ofTrials(fact, trialsPerExtension)),
  ];
  const rank = ({ kind, at }: Plain): number => NEED_KINDS.indexOf(kind) * 1e14 + (at?.getTime() ?? 0);
  return needs
    .toSorted((one, other) => rank(one) - rank(other))
    .map((need) => {
      const act = actOn(need, facts.rights);
      return { ...need, key: keyOf(need), tone: toneOf(need), action: act?.action ?? null, href: act?.href ?? null };
    });
}

/** The same target can need the same of another version, which is another need. */
const keyOf = ({ kind, targetId, credentialId, approvalId, extensionId, version }: Plain): string =>
  [kind, targetId ?? credentialId ?? approvalId ?? extensionId, targetId === null ? null : version]
    .filter((part) => part !== null)
    .join(':');

function toneOf({ kind, turn }: Pick<Need, 'kind' | 'turn'>): Tone {
  if (kind in WORDINGS) return PHASE_FACTS[kind as PhaseOfYours].display.tone;
  if (kind === 'approval_rejected') return 'rejected';
  return turn === 'team' ? 'underway' : 'needs_you';
}

const refuses = ({ isCredentialRefused, credentialId, phase }: TargetFact): boolean =>
  phase === 'action_required' && isCredentialRefused && credentialId !== null;

/** A refused credential is one need, however many targets use it. */
function refusedCredentials(targets: readonly TargetFact[]): readonly Plain[] {
  const found = new Map<string, TargetFact[]>();
  for (const target of targets.filter(refuses))
    found.set(target.credentialId ?? '', [...(found.get(target.credentialId ?? '') ?? []), target]);
  return [...found].flatMap(([credentialId, of]) => {
    const [first] = of.toSorted((one, other) => (one.since?.getTime() ?? 0) - (other.since?.getTime() ?? 0));
    if (first === undefined) return [];
    const { storeTitle, message, since: at, store } = first;
    const whose = of.length === 1 ? named(first) : `${of.length} extensions`;
    const what = `${storeTitle} refuses the credential of ${whose}.`;
    const own = { credentialId, store, message, at, count: of.length };
    return [
      { ...NO_DETAILS, ...own, kind: 'credential_rejected', turn: 'you', what, remedy: 'Rotate the credential.' },
    ];
  });
}

/** The extension, with the version on its way if there is one. */
const named = ({ extensionName, version }: TargetFact): string =>
  version === null ? extensionName : `${extensionName} ${version}`;

/** The situation, what to do, and whether that is done in Pierhead or at the store. */
type Advice = readonly [what: string, remedy: string, place: 'here' | 'store'];
type Wording = readonly [kind: NeedKind, turn: NeedTurn, ...Advice];

function ofTarget(target: TargetFact): readonly Plain[] {
  const wording = wordingOf(target);
  if (wording === null) return [];
  const [kind, turn, what, remedy, place] = wording;
  const { extensionId, targetId, credentialId, store, version, message, since: at, dashboard } = target;
  const url = place === 'here' ? null : dashboard;
  return [
    {
      ...NO_DETAILS,
      kind,
      turn,
      what,
      remedy,
      message,
      at,
      count: 1,
      extensionId,
      targetId,
      credentialId,
      store,
      version,
      url,
    },
  ];
}

const WORDINGS: Readonly<Record<PhaseOfYours, (store: string, extension: string, it: string) => Advice>> = {
  taken_down: (store, extension) => [`${store} took ${extension} down.`, 'Answer the store in its dashboard.', 'store'],
  rejected: (store, _, it) => [`${store} rejected ${it}.`, 'See why, and push a mended version.', 'store'],
  action_required: (store, _, it) => [`${store} waits for you with ${it}.`, 'Do what the store asks for.', 'store'],
  incomplete: (store, extension) => [
    `${extension} is not connected to ${store} yet.`,
    'Complete its settings.',
    'here',
  ],
};

function wordingOf(target: TargetFact): Wording | null {
  const { phase, refusable, approval, storeTitle, extensionName, isStalled } = target;
  const { isReleasedByHand, isReleaseRequested } = target;
  const it = named(target);
  // What waits for an approval is one need, however many targets wait.
  if (phase === 'action_required' && approval === 'waiting') return null;
  if (phase === 'action_required' && approval === 'rejected')
    return [
      'approval_rejected',
      'you',
      `${it} was not approved for ${storeTitle}.`,
      'See why, and push a mended package.',
      'here',
    ];
  if (phase === 'action_required' && refusable)
    return [
      'held',
      'you',
      `${storeTitle} would refuse ${it}.`,
      'Push a mended package under the same number, or send it all the same.',
      'here',
    ];
  if (isYours(phase)) return [phase, 'you', ...WORDINGS[phase](storeTitle, extensionName, it)];
  if (displayOfPhase(phase, isReleasedByHand && !isReleaseRequested).turn === 'you')
    return ['release_waiting', 'you', `${storeTitle} approved ${it}.`, 'Release it when you want it live.', 'here'];
  const remedy = 'Pierhead keeps trying; check the store’s dashboard.';
  return isStalled ? ['stalled', 'store', `${it} makes no progress at ${storeTitle}.`, remedy, 'store'] : null;
}

function ofApproval(fact: ApprovalFact): Plain {
  const { approvalId, extensionId, extensionName, version, store, requestedBy, since: at } = fact;
  const details = {
    ...NO_DETAILS,
    kind: 'approval_waiting',
    at,
    count: 1,
    approvalId,
    extensionId,
    store,
    version,
  } as const;
  const it = `${extensionName} ${version}`;
  return fact.isYours
    ? {
        ...details,
        turn: 'you',
        what: `${requestedBy ?? 'Somebody'} wants to send ${it}.`,
        remedy: 'Approve or reject it.',
      }
    : {
        ...details,
        turn: 'team',
        what: `${it} waits for the approval of another person.`,
        remedy: 'Ask one who may publish.',
      };
}

function ofCredential(fact: CredentialFact, now: Date): readonly Plain[] {
  const { credentialId, title, label, expiresAt: at, acceptsTests } = fact;
  const whose = label === null ? `The credential for ${title}` : `The credential “${label}” for ${title}`;
  const known = { ...NO_DETAILS, turn: 'you', count: 1, credentialId } as const;
  const isOver = at !== null && at <= now;
  const what = isOver ? `${whose} has expired.` : `${whose} expires soon.`;
  const kind = isOver ? 'credential_expired' : 'credential_expiring';
  const open = `${whose} accepts test-mode sales, so anyone with a test card can get a working license.`;
  const remedy = 'Rotate it without the test mode once you sell.';
  return [
    ...(at === null ? [] : [{ ...known, kind, what, remedy: 'Rotate the credential.', at } as const]),
    ...(acceptsTests ? [{ ...known, kind: 'test_mode_open', what: open, remedy } as const] : []),
  ];
}

function ofTrials({ extensionId, extensionName, begun, refused }: TrialFact, most: number): Plain {
  const whether = refused === 0 ? '' : `, and ${refused} ${refused === 1 ? 'was' : 'were'} refused`;
  const what = `${begun} of the ${most} trials of ${extensionName} that a day has have begun${whether}.`;
  const remedy = 'Ask for an address before a trial, or have TRIALS_PER_EXTENSION raised.';
  return { ...NO_DETAILS, kind: 'trials_filling', turn: 'you', what, remedy, count: refused, extensionId };
}

type WaitingKind = 'sales_unmapped' | 'codes_undelivered' | 'notifications_undelivered';

const WAITING: Readonly<Record<WaitingKind, readonly [one: string, many: string, remedy: string]>> = {
  sales_unmapped: [
    'sale has no license',
    'sales have no license',
    'Add the product to a plan, then replay the notifications.',
  ],
  codes_undelivered: [
    'code was not delivered to its buyer',
    'codes were not delivered to their buyers',
    'Correct the address, and send the code again.',
  ],
  notifications_undelivered: [
    'notification was given up',
    'notifications were given up',
    'Correct the endpoint, and deliver them again.',
  ],
};

function ofWaiting(kind: WaitingKind, { count, since: at }: Waiting): readonly Plain[] {
  if (count === 0) return [];
  const [one, many, remedy] = WAITING[kind];
  const what = `${count} ${count === 1 ? one : many}.`;
  return [{ ...NO_DETAILS, kind, turn: 'you', what, remedy, at, count }];
}
