import { answer, everything, type Schema, type Service } from '../api/service.js';
import type { Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { findExtension, type Extension } from '../publishing/extensions.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { durationInWords } from './expiry.js';
import { list } from '../terminal/words.js';

export type Plan = Schema<'Plan'>;

/** The plans of an extension. */
const listPlans = (service: Service, extension: string): Promise<Plan[]> =>
  everything((page) => service.client.GET('/api/v1/plans', { params: { query: { extension, ...page } } }));

/** An extension as it is named on the command line, and its plans. */
export async function plansOf(
  context: Context,
  service: Service,
  { extension: named }: { readonly extension?: string },
): Promise<{ readonly extension: Extension; readonly plans: readonly Plan[] }> {
  const extension = await findExtension(service, named, await context.project());
  return { extension, plans: await listPlans(service, extension.id) };
}

/** A product as it is typed: `stripe:price_123`. */
export const productName = ({
  processor,
  productId,
}: Pick<Plan['products'][number], 'processor' | 'productId'>): string => `${processor}:${productId}`;

/**
 * The plan that is meant by its tier or id; without either the only one there is.
 * @throws Failure that names the plans when none or several could be meant
 */
export function choosePlan(plans: readonly Plan[], wanted: string | undefined): Plan {
  const key = wanted?.toLowerCase();
  const exact = plans.filter(({ tier }) => tier === wanted);
  const alike = plans.filter(({ id, tier }) => id === key || tier.toLowerCase() === key);
  const found = key === undefined ? plans : exact.length === 1 ? exact : alike;
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (plans.length === 0)
    throw new Failure('The extension has no plan.', {
      hint: 'Create one with: pierhead plans create pro',
    });
  const hint = `The plans are ${list(plans.map(({ tier }) => tier))}.`;
  if (wanted === undefined) throw usageFailure('The extension has several plans. Name one with --plan.', hint);
  throw new Failure(`The extension has no plan "${wanted}".`, { hint });
}

/** One row for each plan. */
export function planTable(plans: readonly Plan[], style: Style): string {
  if (plans.length === 0) return 'The extension has no plan. Create one with: pierhead plans create pro';
  const rows = plans.map(({ tier, maxActivations, duration, trialDays, entitlements, products }) => [
    tier,
    String(maxActivations),
    duration === null ? '—' : durationInWords(duration),
    trialDays === null ? '—' : `${trialDays} ${trialDays === 1 ? 'day' : 'days'}`,
    entitlements.join(', ') || '—',
    products.map(productName).join(', ') || '—',
  ]);
  return table(rows, style, { heads: ['PLAN', 'DEVICES', 'LASTS', 'TRIAL', 'FEATURES', 'PRODUCTS'], whole: [0, 1] });
}

/** Issues a license. */
export const issueLicense = (service: Service, body: Schema<'IssueLicense'>): Promise<Schema<'IssuedLicense'>> =>
  answer(service.client.POST('/api/v1/licenses', { body }));
