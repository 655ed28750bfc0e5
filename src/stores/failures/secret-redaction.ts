import type { HttpAnswer } from '../../common/net/index.js';
import { StoreFailure } from './store-failure.js';
import type { Store } from '../store.js';

const REDACTED = '[redacted]';
/** A shorter secret occurs in ordinary words, and redacting it would make texts unreadable. */
const MIN_CHARACTERS = 8;
/** JSON can nest deeper than a recursive function can follow. */
const MAX_DEPTH = 20;
const PEM_MARKER = /^-----/;

/**
 * A store whose failures, notes and raw answers do not contain the secrets it was called with. `redact` recognizes secrets by their name and
 * form; here they are known and matched exactly. Every other member of the adapter passes through unchanged.
 */
export function withSecretRedaction(store: Store): Store {
  const redacted: Pick<
    Store,
    'verify' | 'observe' | 'figures' | 'reviews' | 'answerReview' | 'announceTo' | 'carryOut'
  > = {
    verify: (credentials, items) => callRedacted(store, credentials, () => store.verify(credentials, items)),
    observe: (credentials, item) =>
      callRedacted(store, credentials, async (redact) => {
        const observed = await store.observe(credentials, item);
        return { ...observed, raw: redact(observed.raw) };
      }),
    figures: (credentials, item, range) =>
      store.figures(credentials, item, range).map((read) => () => callRedacted(store, credentials, read)),
    reviews: (credentials, item) =>
      callRedacted(store, credentials, async (redact) => redact(await store.reviews(credentials, item))),
    answerReview: (credentials, item, reviewId, text) =>
      callRedacted(store, credentials, async (redact) =>
        redact(await store.answerReview(credentials, item, reviewId, text)),
      ),
    announceTo: (credentials, item, to) =>
      callRedacted(store, { ...credentials, announcements: to.secret }, () => store.announceTo(credentials, item, to)),
    carryOut: (credentials, item, step, key) =>
      callRedacted(store, credentials, async (redact) => {
        const outcome = await store.carryOut(credentials, item, step, key);
        return { ...outcome, note: redact(outcome.note), raw: redact(outcome.raw) };
      }),
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (Object.hasOwn(redacted, name)) return redacted[name as keyof typeof redacted];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** An answer that does not repeat a secret, for secrets without a form by which `redact` could recognize them. */
export function withoutSecret(answer: HttpAnswer, secret: string): HttpAnswer {
  const forms = [secret, asInJson(secret)];
  if (!forms.some((form) => answer.text.includes(form))) return answer;
  const redact = redactorOf(forms);
  return { ...answer, text: redact(answer.text), json: redact(answer.json) };
}

/** Copies a value without the secrets in its texts. */
type Redactor = <T>(value: T) => T;

async function callRedacted<T>(store: Store, credentials: object, call: (redact: Redactor) => Promise<T>): Promise<T> {
  const redact = redactorOf(secretsIn(store, credentials));
  try {
    return await call(redact);
  } catch (error) {
    throw redactError(error, redact);
  }
}

function redactError(error: unknown, redact: Redactor): unknown {
  if (!(error instanceof Error)) return redact(error);
  if (error instanceof StoreFailure) {
    const { raw, cause } = error.details;
    const details = { ...error.details, raw: redact(raw), cause: redactError(cause, redact) };
    return new StoreFailure(error.kind, redact(error.message), details);
  }
  // The same object, so that callers can still tell it by its class.
  error.message = redact(error.message);
  if (error.stack !== undefined) error.stack = redact(error.stack);
  if (error.cause !== undefined) error.cause = redactError(error.cause, redact);
  return error;
}

/**
 * The texts to redact, the longest first: every text of the credentials that the store's form does not mark as harmless, each line of a PEM,
 * and both as they appear in JSON.
 */
export function secretsIn({ credentialShape }: Pick<Store, 'credentialShape'>, credentials: object): readonly string[] {
  const fields = credentialShape.forms.flat();
  const isHarmless = (name: string): boolean => {
    const found = fields.filter((field) => field.name === name);
    return found.length > 0 && found.every(({ isSecret }) => !isSecret);
  };
  const texts = textsOf(credentials)
    .filter(([name]) => !isHarmless(name))
    .flatMap(([, text]) => [text.trim(), ...pemLinesOf(text)]);
  return [...new Set([...texts, ...texts.map(asInJson)])]
    .filter(({ length }) => length >= MIN_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
}

const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The texts inside a value, each with its name, nested ones with dots. */
function textsOf(value: unknown, name = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, name === '' ? key : `${name}.${key}`));
}

/** The lines of a PEM without its markers, joined and one by one; none for any other text. */
function pemLinesOf(text: string): readonly string[] {
  if (!PEM_MARKER.test(text.trim())) return [];
  const lines = text
    .split(/\n|\\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !PEM_MARKER.test(line));
  return [lines.join(''), ...lines];
}

function redactorOf(secrets: readonly string[]): Redactor {
  const redactText = (text: string): string =>
    secrets.reduce((rest, secret) => redactTruncated(rest.replaceAll(secret, REDACTED), secret), text);
  const redact = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (depth === MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.map((inner) => redact(inner, depth + 1));
    const entries = Object.entries(value).map(([name, inner]) => [redactText(name), redact(inner, depth + 1)]);
    return Object.fromEntries(entries);
  };
  return redact as Redactor;
}

/** A text that was shortened may end in the middle of a secret. */
function redactTruncated(text: string, secret: string): string {
  if (!text.endsWith('…')) return text;
  for (let length = secret.length - 1; length >= MIN_CHARACTERS; length -= 1)
    if (text.endsWith(`${secret.slice(0, length)}…`)) return `${text.slice(0, -length - 1)}${REDACTED}…`;
  return text;
}
