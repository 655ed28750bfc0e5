import { asRecord, parseRetryAfter, redact } from '../../common/net/index.js';
import { allOf, ended, isStatus, ODD, says, type RefusalRule, type StoreAnswer } from '../refusals.js';
import { StoreFailure, type ThrottledCalls } from '../store-failure.js';
import { complaintOf, disabledBy, type Complaint } from './firefox.complaint.js';

const concerns =
  (field: string) =>
  ({ fields }: Complaint): boolean =>
    fields.includes(field);

const isRefusedAccount = isStatus(401, 403);

/** What AMO says to a correct key when one of the two clocks is wrong. */
const CLOCK = /signature has expired|JWT iat|exp \(expiration\) is too long/i;
const CLOCK_HINT = 'The clock of this server seems to be wrong.';
const HIDDEN_HINT = 'Make the add-on visible again at addons.mozilla.org.';

/** The first rule that holds decides (docs/stores.md#firefox-authentication, docs/stores.md#firefox-errors). */
const RULES: readonly RefusalRule<Complaint>[] = [
  { when: ({ isPage }) => isPage, kind: 'retry', hint: 'It answered with a web page instead of its API.' },
  { when: isStatus(429), kind: 'retry' },
  { when: allOf<Complaint>(isStatus(503), says(/maintenance|read.?only/i)), kind: 'wait' },
  { when: ({ status }) => status >= 500 || status === 408, kind: 'retry' },
  { when: allOf<Complaint>(isStatus(401), says(CLOCK)), kind: 'retry', hint: CLOCK_HINT },
  {
    when: allOf<Complaint>(isRefusedAccount, says(/agreement/i)),
    kind: 'config',
    hint: "Accept the developer agreement at addons.mozilla.org as the key's owner.",
  },
  { when: ({ disabledBy: by }) => by === 'mozilla', kind: 'config', hint: 'Mozilla has disabled the add-on.' },
  { when: ({ disabledBy: by }) => by === 'developer', kind: 'config', hint: HIDDEN_HINT },
  {
    when: allOf<Complaint>(isRefusedAccount, says(/verif\w*.*e-?mail|e-?mail.*verif/i)),
    kind: 'config',
    hint: "Verify the e-mail address of the key's owner at addons.mozilla.org.",
  },
  {
    when: allOf<Complaint>(isRefusedAccount, says(/been blocked|not allowed for submission/i)),
    kind: 'config',
    hint: 'Mozilla blocks the account, or the address of this server, and only Mozilla can lift that.',
  },
  {
    when: isStatus(401),
    kind: 'credential',
    hint: 'Make new API credentials at addons.mozilla.org, Developer Hub, Manage API Keys.',
  },
  { when: isStatus(403), kind: 'credential', hint: "The key's owner must be an author of the add-on." },
  {
    when: isStatus(404),
    kind: 'config',
    hint: "Check the target's storeItemId; the add-on must have been made at addons.mozilla.org once.",
  },
  { when: isStatus(451), kind: 'config' },
  { when: isStatus(409, 413), kind: 'artifact' },
  { when: isStatus(415), kind: 'config' },
  { when: says(/while add-on is disabled/i), kind: 'config', hint: HIDDEN_HINT },
  {
    when: concerns('source'),
    kind: 'config',
    hint: 'Give another archive of the sources: .zip, .tar.gz, .tgz or .tar.bz2.',
  },
  {
    when: says(/metadata is required|required for listed versions/i),
    kind: 'config',
    hint: "Complete the add-on's listing at addons.mozilla.org.",
  },
  { when: says(/^missing "/i), kind: 'config' },
  {
    when: says(/must be greater than|add-on id|does not match|\bguid\b|manifest|unsupported file type/i),
    kind: 'artifact',
  },
  {
    when: allOf<Complaint>(concerns('upload'), says(/does not exist/i)),
    kind: 'retry',
    hint: 'It has to be uploaded again.',
  },
  { when: concerns('upload'), kind: 'artifact' },
  { when: ({ status }) => status >= 400, kind: 'config' },
];

/**
 * What a refusal of AMO's API means; pure.
 * @param calls what AMO counts the refused call among; undefined for a read, which it does not throttle by user
 */
export function firefoxFailure(answer: StoreAnswer, now: Date, calls?: ThrottledCalls): StoreFailure {
  const complaint = complaintOf(answer);
  const { kind, hint } = RULES.find((rule) => rule.when(complaint)) ?? ODD;
  const { status, words } = complaint;
  const opening = words === '' ? `addons.mozilla.org answered ${status}.` : ended(words);
  return new StoreFailure(kind, [opening, hint].filter(Boolean).join(' '), {
    status,
    retryAt: kind === 'retry' || kind === 'wait' ? retryAt(answer, words, now) : undefined,
    throttles: status === 429 ? calls : undefined,
    raw: redact(answer.json ?? answer.text),
  });
}

/** The header, or else the seconds that the sentence names (docs/stores.md#firefox-errors). */
function retryAt({ headers }: StoreAnswer, words: string, now: Date): Date | undefined {
  const seconds = /available in (\d+) seconds?/i.exec(words)?.[1];
  return parseRetryAfter(headers.get('retry-after') ?? seconds, now);
}

/** The store's own time, when it refused a token because of the time; `undefined` for every other answer. */
export function timeOfClockRefusal(answer: StoreAnswer): Date | undefined {
  const complaint = complaintOf(answer);
  const time = Date.parse(answer.headers.get('date') ?? '');
  return complaint.status === 401 && CLOCK.test(complaint.words) && !Number.isNaN(time) ? new Date(time) : undefined;
}

/** Whether the store says that the thing asked for is not there. */
export const isAbsent = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure && failure.kind === 'config' && failure.details.status === 404;

/** Whether the store says that the version or its upload was used already, which an earlier try of ours may have done. */
export const isTaken = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure &&
  failure.kind === 'artifact' &&
  (failure.details.status === 409 || /already been submitted/i.test(failure.message));

/** Whether the store hides the whole item because Mozilla disabled it. */
export const isTakenDown = (failure: unknown): failure is StoreFailure =>
  failure instanceof StoreFailure && disabledBy(asRecord(failure.details.raw)) === 'mozilla';
