import { parseRetryAfter, redact } from '../../common/net/index.js';
import { allOf, anyOf, isStatus, ODD, says, type RefusalRule, type StoreAnswer } from '../refusals.js';
import { StoreFailure } from '../store-failure.js';
import { complaintOf, type Complaint } from './safari.complaint.js';

const hasCode =
  (pattern: RegExp) =>
  ({ codes }: Complaint): boolean =>
    codes.some((code) => pattern.test(code));

/** Behind a refusal: what passes by itself. */
const PASSING =
  /^(STATE_ERROR(\.ENTITY_STATE_INVALID|\.ITEM_PART_OF_ANOTHER_SUBMISSION)?|ENTITY_ERROR\.ATTRIBUTE\.INVALID\.INVALID_STATE)$/;

/** Whatever else Apple lists behind a refusal, known to us or not, no amount of waiting mends. */
const needsPerson = ({ associated }: Complaint): boolean => associated.some((code) => !PASSING.test(code));

/** A thing that must be there first, such as a screenshot. */
const REQUIRED = /^STATE_ERROR\.\w*REQUIRED(\.|$)/;

/** What only a person can fill in or change; an attribute that merely may not be changed now is none of it. */
const LACKING = /^ENTITY_ERROR\.(?!ATTRIBUTE\.INVALID\.INVALID_STATE)/;

/** The first rule that holds decides (docs/stores.md#safari-errors). */
const RULES: readonly RefusalRule<Complaint>[] = [
  { when: ({ isPage }) => isPage, kind: 'retry', hint: 'It answered with a web page instead of its API.' },
  { when: isStatus(429), kind: 'retry' },
  { when: ({ status }) => status >= 500 || status === 408, kind: 'retry' },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: 'It refused a token that had just been signed: the key was revoked, its ids do not belong together, or the clock of this server is wrong.',
  },
  {
    when: allOf<Complaint>(isStatus(403), hasCode(/AGREEMENT/)),
    kind: 'config',
    hint: 'The account holder must accept the agreements in App Store Connect, under Business.',
  },
  {
    when: isStatus(403),
    kind: 'credential',
    hint: 'The key needs the role App Manager and access to this app.',
  },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "Check the target's storeItemId, and whether the key may see that app.",
  },
  {
    when: allOf<Complaint>(isStatus(409, 422), anyOf<Complaint>(needsPerson, hasCode(REQUIRED))),
    kind: 'config',
    hint: 'Fill it in at App Store Connect.',
  },
  {
    when: allOf<Complaint>(
      isStatus(409),
      says(/\bversion\b.*\b(higher|greater|newer|previously used|already been used)\b/i),
    ),
    kind: 'artifact',
  },
  {
    when: allOf<Complaint>(
      isStatus(409),
      says(
        /in the current state|not ready|in progress|processing|already (been )?added|cannot be (edited|modified|reviewed)|can not be modified/i,
      ),
    ),
    kind: 'wait',
  },
  { when: allOf<Complaint>(isStatus(409), hasCode(LACKING)), kind: 'config' },
  { when: allOf<Complaint>(isStatus(409), hasCode(/STATE/)), kind: 'wait' },
  { when: isStatus(409), kind: 'retry' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/** The hour's calls are counted over a rolling hour, so that some come free within minutes. */
const HOUR_USED_UP_MS = 10 * 60_000;

/** What a refusal of App Store Connect means; pure. */
export function safariFailure(answer: StoreAnswer, now: Date): StoreFailure {
  const complaint = complaintOf(answer);
  const { kind, hint } = RULES.find((rule) => rule.when(complaint)) ?? ODD;
  const { status, words, codes } = complaint;
  const opening = words === '' ? `App Store Connect answered ${[status, ...codes].join(' ')}.` : words;
  return new StoreFailure(kind, [opening, hint].filter(Boolean).join(' '), {
    status: answer.status,
    retryAt: kind === 'retry' ? retryAtOf(answer, now) : undefined,
    raw: redact(answer.json ?? answer.text),
  });
}

/** When the store wants to be asked again: as it says, or later when the hour's calls are used up and it does not say. */
function retryAtOf({ headers, status }: StoreAnswer, now: Date): Date | undefined {
  const named = parseRetryAfter(headers.get('retry-after'), now);
  if (named !== undefined || status !== 429) return named;
  const isUsedUp = /user-hour-rem:\s*0\b/.test(headers.get('x-rate-limit') ?? '');
  return isUsedUp ? new Date(now.getTime() + HOUR_USED_UP_MS) : undefined;
}

/** Whether the store says that what was asked does not fit the present state, which an earlier try may have made. */
export function isConflict(failure: unknown): failure is StoreFailure {
  return failure instanceof StoreFailure && failure.details.status === 409;
}
