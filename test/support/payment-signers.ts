import { createHmac, randomUUID } from 'node:crypto';
import type { ProcessorId } from '../../src/payments/index.js';

/** A webhook secret of each processor, in the form that it gives them. */
export const SECRETS: Readonly<Record<ProcessorId, string>> = {
  stripe: 'whsec_8f3kd92kd83kd92kd83kd02kd8',
  paddle: 'pdl_ntfset_01h8xj4b6n0q3r5t7v9x1z3b5d_c7f9h1k3m5p7r9t1',
  lemonsqueezy: 'squeeze the lemons well',
  polar: 'polar_whs_2k4j6h8g0f1d3s5a7p9o',
  creem: 'whsec_4Hq7Wm2Xc9Tb1Vn6Zp3Ks8',
  dodo: 'whsec_eja+//77QqAtjRjEF650OUfJz+k6LXzR',
};

/** The processors that sign the body alone: a captured request stays valid. */
export const TIMELESS: readonly ProcessorId[] = ['lemonsqueezy', 'creem'];

/** Another secret of the same processor, in its form. */
export const otherSecret = (id: ProcessorId): string => `${SECRETS[id]}NEW0`;

/** Signs a body as a processor does (src/payments/README.md#signatures), without any code that verifies signatures. */
export function signedBy(
  processor: ProcessorId,
  secret: string,
  body: string | Buffer,
  at: Date,
  /** For processors that name the event in a header. */
  eventId?: string,
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const over = (prefix: string, key: string | Buffer = secret): ReturnType<typeof createHmac> =>
    createHmac('sha256', key).update(prefix).update(body);
  const standard = (key: string | Buffer): Record<string, string> => {
    const id = eventId ?? `msg_${randomUUID()}`;
    return {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${over(`${id}.${seconds}.`, key).digest('base64')}`,
    };
  };
  switch (processor) {
    case 'stripe':
      return { 'stripe-signature': `t=${seconds},v1=${over(`${seconds}.`).digest('hex')}` };
    case 'paddle':
      return { 'paddle-signature': `ts=${seconds};h1=${over(`${seconds}:`).digest('hex')}` };
    case 'lemonsqueezy':
      return { 'x-signature': over('').digest('hex') };
    case 'polar':
      return standard(secret);
    case 'creem':
      return { 'creem-signature': over('').digest('hex') };
    case 'dodo':
      return standard(Buffer.from(secret.replace('whsec_', ''), 'base64'));
  }
}
