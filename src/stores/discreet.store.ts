import { StoreFailure } from './store-failure.js';
import type { Store } from './store.js';

const REDACTED = '[redacted]';
/** Shorter ones stand in ordinary words, and a text without those would say nothing. */
const MIN_CHARACTERS = 8;
const PEM_MARKER = /^-----/;

/**
 * A store that keeps the secrets it was called with to itself, whatever it repeats of them: they are cut by exact match from each failure,
 * note and raw answer. `redact` knows secrets by name and looks alone; here they are known. Whatever else the adapter has passes unchanged.
 */
export function discreet(store: Store): Store {
  const own: Pick<Store, 'verify' | 'observe' | 'carryOut'> = {
    verify: (credentials) => guarded(store, credentials, () => store.verify(credentials)),
    observe: (credentials, item) =>
      guarded(store, credentials, async (cut) => {
        const observed = await store.observe(credentials, item);
        return { ...observed, raw: cut(observed.raw) };
      }),
    carryOut: (credentials, item, step, key) =>
      guarded(store, credentials, async (cut) => {
        const outcome = await store.carryOut(credentials, item, step, key);
        return { ...outcome, note: cut(outcome.note), raw: cut(outcome.raw) };
      }),
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A copy of a value without the secrets in its texts. */
type Cut = <T>(value: T) => T;

async function guarded<T>(store: Store, credentials: object, call: (cut: Cut) => Promise<T>): Promise<T> {
  const cut = cutting(secretsIn(store, credentials));
  try {
    return await call(cut);
  } catch (error) {
    throw withoutSecrets(error, cut);
  }
}

function withoutSecrets(error: unknown, cut: Cut): unknown {
  if (!(error instanceof Error)) return cut(error);
  if (error instanceof StoreFailure) {
    const { raw, cause } = error.details;
    const told = { ...error.details, raw: cut(raw), cause: withoutSecrets(cause, cut) };
    return new StoreFailure(error.kind, cut(error.message), told);
  }
  // It stays what it is, for whoever asks by its class.
  error.message = cut(error.message);
  if (error.stack !== undefined) error.stack = cut(error.stack);
  if (error.cause !== undefined) error.cause = withoutSecrets(error.cause, cut);
  return error;
}

/**
 * The texts to cut, the longest first: every text of the credentials that the store's own description does not call harmless, each line of
 * a PEM, and both as they stand in JSON.
 */
export function secretsIn({ credentialShape }: Pick<Store, 'credentialShape'>, credentials: object): readonly string[] {
  const fields = credentialShape.forms.flat();
  const isHarmless = (name: string): boolean => {
    const found = fields.filter((field) => field.name === name);
    return found.length > 0 && found.every(({ isSecret }) => !isSecret);
  };
  const texts = textsOf(credentials)
    .filter(([name]) => !isHarmless(name))
    .flatMap(([, text]) => [text.trim(), ...linesOf(text)]);
  const secrets = [...texts, ...texts.map((text) => JSON.stringify(text).slice(1, -1))];
  return [...new Set(secrets)]
    .filter(({ length }) => length >= MIN_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
}

/** The texts inside a value, each with its name, nested ones with dots. */
function textsOf(value: unknown, name = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => textsOf(held, name === '' ? key : `${name}.${key}`));
}

/** The lines between the marks of a PEM, also as one; none of any other text. */
function linesOf(text: string): readonly string[] {
  if (!PEM_MARKER.test(text.trim())) return [];
  const lines = text.split(/\s*(?:\n|\\n)\s*/).filter((line) => line !== '' && !PEM_MARKER.test(line));
  return [lines.join(''), ...lines];
}

const cutting = (secrets: readonly string[]): Cut => {
  const cutText = (text: string): string =>
    secrets.reduce((rest, secret) => withoutCutOff(rest.replaceAll(secret, REDACTED), secret), text);
  const cut = (value: unknown): unknown => {
    if (typeof value === 'string') return cutText(value);
    if (Array.isArray(value)) return value.map(cut);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [cutText(name), cut(held)]));
  };
  return cut as Cut;
};

/** A text that was shortened may end in the middle of a secret. */
function withoutCutOff(text: string, secret: string): string {
  if (!text.endsWith('…')) return text;
  for (let length = secret.length - 1; length >= MIN_CHARACTERS; length -= 1)
    if (text.endsWith(`${secret.slice(0, length)}…`)) return `${text.slice(0, -length - 1)}${REDACTED}…`;
  return text;
}
