import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { PROCESSORS } from '../api/processors.js';
import { answer, type Schema, type Service } from '../api/service.js';
import { asFailure, Failure, usageFailure } from '../failure.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { list } from '../terminal/words.js';
import { productName, type Plan } from './plans.js';

export type Product = Schema<'PlanProduct'>;

/** Attempts at changing a list that others change at the same time, and the longest pause between two. */
const ATTEMPTS = 10;
const PAUSE_MS = 300;

/** What a quantity above one buys, in words. */
export const QUANTITY = { seats: 'more devices', license: 'more licenses' } as const;

/** A product as it is typed: `stripe:price_123`. @throws Failure for anything else */
export function productOf(text: string): Pick<Product, 'processor' | 'productId'> {
  const [, processor, productId = ''] = /^([^:]+):(.+)$/.exec(text.trim()) ?? [];
  const found = PROCESSORS.find(({ id }) => id === processor?.toLowerCase());
  if (found !== undefined) return { processor: found.id, productId };
  throw usageFailure(
    `"${text}" is not a product.`,
    `Write the processor and its id, as in stripe:price_123. The processors are ${list(PROCESSORS.map(({ id }) => id))}.`,
  );
}

/** Whether two entries name the same product. */
export const isSameProduct = (
  one: Pick<Product, 'processor' | 'productId'>,
  other: Pick<Product, 'processor' | 'productId'>,
): boolean => one.processor === other.processor && one.productId === other.productId;

/** Changes a plan's list of products, and again when somebody else changed it meanwhile. @param change the list that it shall be */
export async function changeProducts(
  { client }: Service,
  id: string,
  change: (products: readonly Product[]) => readonly Product[],
): Promise<Plan> {
  const path = { id };
  for (let attempt = 1; ; attempt += 1) {
    const plan = await answer(client.GET('/api/v1/plans/{id}', { params: { path } }));
    const body = change(plan.products);
    if (isDeepStrictEqual(body, plan.products)) return plan;
    try {
      return await answer(
        client.PUT('/api/v1/plans/{id}/products', {
          params: { path, header: { 'If-Match': `"${plan.updatedAt}"` } },
          body: [...body],
        }),
      );
    } catch (error) {
      if (asFailure(error).code !== 'precondition_failed' || attempt === ATTEMPTS) throw error;
    }
    await pause(Math.random() * PAUSE_MS);
  }
}

/** The plan that lists a product. @throws Failure when none does */
export function planOfProduct(plans: readonly Plan[], product: Pick<Product, 'processor' | 'productId'>): Plan {
  const plan = plans.find(({ products }) => products.some((each) => isSameProduct(each, product)));
  if (plan !== undefined) return plan;
  throw new Failure(`No plan lists ${productName(product)}.`, {
    hint: 'pierhead products list shows them.',
  });
}

/** One row for each product. */
export function productTable(plans: readonly Plan[], style: Style): string {
  const rows = plans.flatMap(({ tier, products }) =>
    products.map((product) => [
      productName(product),
      tier,
      QUANTITY[product.perUnit ?? 'seats'],
      product.checkoutUrl ?? '—',
    ]),
  );
  if (rows.length === 0) return 'No plan lists a product. Add one with: pierhead products add';
  return table(rows, style, {
    heads: ['PRODUCT', 'PLAN', 'MORE THAN ONE BUYS', 'CHECKOUT'],
    whole: [0],
    dispensable: [2, 3],
  });
}
