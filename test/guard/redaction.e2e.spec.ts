import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProcessorId } from '../../src/payments/index.js';
import type { StoreId } from '../../src/stores/index.js';
import {
  PROCESSOR_IDS,
  Processors,
  redact,
  redactText,
  startWorld,
  STORE_IDS,
  Stores,
  type World,
} from '../support/app.js';
import { SECRETS } from '../support/payment-signers.js';

type ProviderId = StoreId | ProcessorId;

/** A secret in the form that its store or processor gives it, and whether it can be recognized without its name. */
interface Sample {
  readonly secret: string;
  readonly hasLooks: boolean;
}

const withLooks = (secret: string): Sample => ({ secret, hasLooks: true });
const withoutLooks = (secret: string): Sample => ({ secret, hasLooks: false });
const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----';
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJtZSJ9.c2lnbmF0dXJl';

/** A sample of each secret field. A new store or processor does not compile without its own. */
const SAMPLES: Readonly<Record<ProviderId, Readonly<Record<string, Sample>>>> = {
  chrome: {
    'serviceAccount.private_key': withLooks(PEM),
    clientSecret: withLooks('GOCSPX-8fK3kd92-kd83_kd92kd83kd02'),
    refreshToken: withLooks('1//0gK3kd92kd83kd92-kd83kd02kd8'),
  },
  firefox: { secret: withoutLooks('5e8848f3a1b0c9d2e7f6a5b4c3d2e1f05e8848f3a1b0c9d2e7f6a5b4c3d2e1f0') },
  edge: { apiKey: withoutLooks('Xk29dkQ83kd92LmPq83kd02kd8Zr') },
  safari: { privateKey: withLooks(PEM) },
  stripe: { webhookSecret: withLooks(SECRETS.stripe), apiKey: withLooks('rk_live_51H8fk3kd92kd83kd92kd83') },
  paddle: {
    webhookSecret: withLooks(SECRETS.paddle),
    apiKey: withLooks('pdl_live_apikey_01h8xj4b6n0q3r5t7v9x1z3b5d_c7f9h1k3m5p7r9t1_AbC'),
  },
  lemonsqueezy: { webhookSecret: withoutLooks(SECRETS.lemonsqueezy), apiKey: withLooks(JWT) },
  polar: { webhookSecret: withLooks(SECRETS.polar), apiKey: withLooks('polar_oat_2k4j6h8g0f1d3s5a7p9o') },
};

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe.each<ProviderId>([...STORE_IDS, ...PROCESSOR_IDS])('the secrets of %s', (id) => {
  const cases = Object.entries(SAMPLES[id]).map(([field, sample]) => [field, sample] as const);

  it('are all among the samples', () => {
    const providers = [...world.app.get(Stores).all, ...world.app.get(Processors).all];
    const fields = providers.find((one) => one.id === id)?.credentialShape.forms.flat() ?? [];
    const secrets = fields.filter(({ isSecret }) => isSecret).map(({ name }) => name);
    expect(Object.keys(SAMPLES[id]).toSorted()).toEqual([...new Set(secrets)].toSorted());
  });

  it.each(cases)('are redacted under the name %s, in values, JSON and forms', (field, { secret }) => {
    const name = field.split('.').at(-1) ?? '';
    const nested = field.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), secret);
    const form = new URLSearchParams({ [name]: secret }).toString();
    for (const shown of [JSON.stringify(redact(nested)), redactText(JSON.stringify(nested)), redactText(form)]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(shown).not.toContain(encodeURIComponent(secret));
    }
  });

  it('are redacted without a name where they can be recognized', () => {
    for (const { secret } of Object.values(SAMPLES[id]).filter(({ hasLooks }) => hasLooks)) {
      const shown = redactText(`The request with ${secret} was refused.`);
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain(secret);
    }
  });
});
