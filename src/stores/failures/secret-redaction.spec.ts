import { describe, expect, it } from 'vitest';
import { withSecretRedaction, secretsIn } from './secret-redaction.js';
import { StoreFailure } from './store-failure.js';
import { known, DEFAULT_SUBMIT_OPTIONS, Store, UNKNOWN, type Capabilities, type StoreItem } from '../store.js';

const KEY_LINES = ['MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB', 'AQC7=='];
const PEM = `-----BEGIN PRIVATE KEY-----\n${KEY_LINES.join('\n')}\n-----END PRIVATE KEY-----\n`;
const CREDENTIALS = {
  publisherId: 'publisher-of-owls',
  secret: 'plain "words" of a key',
  account: { key: PEM, pin: 'short' },
};
const ITEM: StoreItem = { storeItemId: 'item', crxId: null, platforms: [], channel: null, handles: {} };

/** A store that returns any given values. */
class EchoStore extends Store<typeof CREDENTIALS> {
  readonly id = 'edge';
  readonly title = 'Echo';
  readonly name = 'Echo';
  readonly aliases = [];
  readonly capabilities = {} as Capabilities;
  readonly credentialShape = {
    type: class {} as new () => typeof CREDENTIALS,
    secretOf: () => '',
    forms: [
      [
        { name: 'publisherId', title: '', isSecret: false, isRequired: true, how: '' },
        { name: 'secret', title: '', isSecret: true, isRequired: true, how: '' },
      ],
    ],
    lapsesAfterDays: null,
  };
  readonly guide = { steps: [], links: [], item: { fields: [], urls: [] } };

  constructor(private readonly says: (words: string) => unknown) {
    super();
  }

  override pagesOf() {
    return { listing: null, dashboard: '', privacy: null };
  }

  override async verify() {
    return { identity: String(this.says('identity')) };
  }

  override async observe() {
    const raw = this.says('raw');
    return {
      live: known('1.0'),
      submission: UNKNOWN,
      upload: UNKNOWN,
      takenDown: false,
      warned: false,
      rolloutPercent: null,
      raw,
    };
  }

  override async reviews() {
    const text = String(this.says('text'));
    const writtenAt = new Date(0);
    const review = { id: 'a', stars: 1, title: null, text, author: null, version: null, territory: null, writtenAt };
    return { reviews: [{ ...review, answer: null }], isComplete: true };
  }

  override async answerReview() {
    return { text: String(this.says('answer')), state: 'pending' as const };
  }

  override async announceTo() {
    return String(this.says('webhook'));
  }

  override async carryOut() {
    return {
      outcome: 'done' as const,
      handles: { upload: CREDENTIALS.secret },
      note: String(this.says('note')),
      raw: this.says('raw'),
    };
  }

  anotherMember(): string {
    return this.title;
  }
}

const ADDRESS = { url: 'https://pierhead.example/', secret: 'signs-announcements', webhookId: null };

const step = { step: 'submit', version: '1.0', ...DEFAULT_SUBMIT_OPTIONS } as const;

describe("the secrets in a store's credentials", () => {
  const { secret } = CREDENTIALS;

  it.each<[string, unknown, unknown]>([
    ['plain words', `Bad key ${secret}!`, 'Bad key [redacted]!'],
    ['words as JSON has them', JSON.stringify({ a: secret }), '{"a":"[redacted]"}'],
    ['words that were cut short', `Bad key ${secret.slice(0, 12)}…`, 'Bad key [redacted]…'],
    ['a line of a PEM', `near ${KEY_LINES[1]}`, 'near [redacted]'],
    ['a PEM on one line', `near ${KEY_LINES.join('')}.`, 'near [redacted].'],
    ['names and values', { [secret]: [{ deep: secret }] }, { '[redacted]': [{ deep: '[redacted]' }] }],
    ['what is harmless', 'publisher-of-owls is short', 'publisher-of-owls is short'],
    ['what is no text', { at: 1, none: null }, { at: 1, none: null }],
  ])('are redacted in its answers: %s', async (_, said, redacted) => {
    const store = withSecretRedaction(new EchoStore(() => said));
    expect((await store.observe(CREDENTIALS, ITEM)).raw).toEqual(redacted);
    const outcome = await store.carryOut(CREDENTIALS, ITEM, step, 'key');
    expect(outcome.raw).toEqual(redacted);
    if (typeof said === 'string') expect(outcome.note).toBe(redacted);
    if (typeof said === 'string') {
      const listed = await store.reviews(CREDENTIALS, ITEM);
      expect(listed?.reviews[0]).toMatchObject({ text: redacted, writtenAt: new Date(0) });
      expect(await store.answerReview(CREDENTIALS, ITEM, 'a', '')).toMatchObject({ text: redacted });
    }
    // Handles go back to the store, which must know them again.
    expect(outcome.handles).toEqual({ upload: secret });
  });

  it.each(['verify', 'observe', 'reviews', 'answerReview', 'announceTo', 'carryOut'] as const)(
    'are redacted in a failure of %s and in its cause',
    async (call) => {
      const store = withSecretRedaction(
        new EchoStore(() => {
          const cause = new TypeError(`fetch of ${secret}`);
          throw new StoreFailure('retry', `Bad ${secret}`, { status: 500, raw: { said: secret }, cause });
        }),
      );
      const calls = {
        verify: () => store.verify(CREDENTIALS),
        observe: () => store.observe(CREDENTIALS, ITEM),
        reviews: () => store.reviews(CREDENTIALS, ITEM),
        answerReview: () => store.answerReview(CREDENTIALS, ITEM, 'a', ''),
        announceTo: () => store.announceTo(CREDENTIALS, ITEM, ADDRESS),
        carryOut: () => store.carryOut(CREDENTIALS, ITEM, step, 'key'),
      };
      const failure: unknown = await calls[call]().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreFailure);
      expect(failure).toMatchObject({
        kind: 'retry',
        message: 'Bad [redacted]',
        details: { status: 500, raw: { said: '[redacted]' } },
        cause: expect.any(TypeError),
      });
      const { stack, cause } = failure as StoreFailure & { readonly cause: Error };
      expect(`${stack} ${cause.message} ${cause.stack}`).not.toContain(secret);
    },
  );

  it('are redacted in other errors, which keep their class', async () => {
    const store = withSecretRedaction(
      new EchoStore(() => {
        throw new RangeError(`no ${secret}`);
      }),
    );
    const failure: unknown = await store.observe(CREDENTIALS, ITEM).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RangeError);
    expect((failure as Error).message).toBe('no [redacted]');
  });

  it('are all long enough fields that are not marked as harmless, the longest first', () => {
    const found = secretsIn(new EchoStore(() => null), CREDENTIALS);
    expect(found).not.toContain('short');
    expect(found).not.toContain(CREDENTIALS.publisherId);
    expect(found).toEqual(expect.arrayContaining([secret, PEM.trim(), KEY_LINES[0], KEY_LINES.join('')]));
    expect(found.map(({ length }) => length)).toEqual(found.map(({ length }) => length).toSorted((a, b) => b - a));
  });

  it('change nothing else about the store', () => {
    const store = withSecretRedaction(new EchoStore(() => null));
    expect(store).toMatchObject({ id: 'edge', title: 'Echo' });
    expect((store as unknown as EchoStore).anotherMember()).toBe('Echo');
  });
});
