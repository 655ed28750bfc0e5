import type { Schema, Service } from '../api/service.js';
import { listLicenses } from './licenses.js';
import { issueLicense, type Plan } from './plans.js';
import type { Wish } from './rows.js';

/** What became of a row. */
export interface Imported {
  readonly line: number;
  readonly outcome: 'issued' | 'known';
  readonly plan: string;
  readonly buyerEmail: string;
  /** Null for a license that was there before: its code cannot be read again. */
  readonly code: string | null;
  readonly codeHint: string;
  readonly id: string;
}

/**
 * Issues a license for each row, in order. A row whose buyer already has a license of the plan is left out, so that an import that broke off
 * can be repeated; a buyer of several rows gets as many licenses.
 */
export async function* importLicenses(service: Service, wishes: readonly Wish[]): AsyncGenerator<Imported> {
  const knownOf = new Map<string, Schema<'License'>[]>();
  for (const { line, plan, ...wish } of wishes) {
    const key = `${plan.id} ${wish.buyerEmail.toLowerCase()}`;
    const known = knownOf.get(key) ?? (await standing(service, plan, wish.buyerEmail));
    knownOf.set(key, known);
    const before = known.shift();
    if (before === undefined) {
      const { code, codeHint, id } = await issueLicense(service, { planId: plan.id, ...wish });
      yield { line, outcome: 'issued', plan: plan.tier, buyerEmail: wish.buyerEmail, code, codeHint, id };
    } else {
      const { codeHint, id } = before;
      yield { line, outcome: 'known', plan: plan.tier, buyerEmail: wish.buyerEmail, code: null, codeHint, id };
    }
  }
}

/** The buyer's licenses of a plan that are not revoked. */
async function standing(service: Service, plan: Plan, email: string): Promise<Schema<'License'>[]> {
  const licenses = await listLicenses(service, { email, extension: plan.extensionId });
  return licenses.filter(({ planId, status }) => planId === plan.id && status !== 'revoked');
}
