import type { ProcessorId } from '../../src/payments/index.js';
import type { StoreId } from '../../src/stores/index.js';
import { SECRETS } from '../support/payment-signers.js';

export type ProviderId = StoreId | ProcessorId;

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
export const SAMPLES: Readonly<Record<ProviderId, Readonly<Record<string, Sample>>>> = {
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
  creem: { webhookSecret: withLooks(SECRETS.creem), apiKey: withLooks('creem_5kd83Kd92Lm0Pq83') },
  dodo: { webhookSecret: withLooks(SECRETS.dodo), apiKey: withoutLooks('Xk29dkQ83kd92Lm.Pq83kd02kd8ZrT5v7') },
};
