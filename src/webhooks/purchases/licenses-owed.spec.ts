import { describe, expect, it } from 'vitest';
import type { Item } from '../../payments/index.js';
import { NO_PAYMENTS, type PaymentRecord } from '../ledger/apply-payment.js';
import { NO_PAYMENT, type Payment } from '../ledger/paid-periods.js';
import type { SoldPlans } from '../../licensing/index.js';
import { assignLicenses, licensesOwed, MAX_LICENSES, type LicenseSlot } from './licenses-owed.js';

const planOf = (id: string) => ({
  id,
  extensionId: id === 'other' ? 'extension-2' : 'extension-1',
  tier: id,
  maxActivations: 3,
  duration: null,
  durationFrom: 'issue' as const,
  graceDays: 0,
  onEnd: 'expire' as const,
  renewalLeewayHours: null,
});
const LISTS: Readonly<Record<string, readonly ['seats' | 'license', ...string[]]>> = {
  price_bundle: ['seats', 'basic', 'other'],
  price_basic: ['seats', 'basic'],
  price_pro: ['seats', 'pro'],
  price_pro_yearly: ['seats', 'pro'],
  price_team: ['license', 'team'],
  price_crew: ['license', 'crew'],
  plink_basic: ['seats', 'basic'],
};
const PLANS: SoldPlans = {
  byId: (id) => (['basic', 'pro', 'team', 'crew', 'special'].includes(id) ? planOf(id) : null),
  byProduct: (ids) => {
    const [perUnit = 'seats', ...plans] = ids.flatMap((id) => (id in LISTS ? [LISTS[id] ?? []] : []))[0] ?? [];
    return plans.map((plan) => ({ perUnit, plan: planOf(plan) }));
  },
};

const item = (price: string, quantity = 1, more: Partial<Item> = {}): Item => ({
  productIds: [price],
  quantity,
  planId: null,
  isOnce: false,
  ...more,
});
const said = (items: readonly Item[], at: string) => ({ [JSON.stringify(items)]: at });
const owed = (paid: Partial<PaymentRecord>) => {
  const { licenses, unmapped } = licensesOwed({ ...NO_PAYMENTS, ...paid }, PLANS);
  return [licenses.map(({ plan, units, isOnce }) => `${plan.id} × ${units}${isOnce ? ', once' : ''}`), unmapped];
};
const NO_PLAN = (ids: string) =>
  `No plan lists any of ${ids}. Add one to the products of a plan, then replay this notification.`;

describe('the licenses of a purchase', () => {
  it.each<[string, readonly Item[], readonly string[], string | null]>([
    ['one item', [item('price_pro')], ['pro × 1'], null],
    ['a bundle of two extensions', [item('price_bundle', 2)], ['basic × 2', 'other × 2'], null],
    ['one item five times, by seats', [item('price_pro', 5)], ['pro × 5'], null],
    ['one item thrice, by license', [item('price_team', 3)], ['team × 1', 'team × 1', 'team × 1'], null],
    ['items of two plans', [item('price_basic'), item('price_pro', 2)], ['basic × 1', 'pro × 2'], null],
    ['two prices of one plan', [item('price_pro', 2), item('price_pro_yearly')], ['pro × 3'], null],
    [
      'two prices of one product',
      [
        item('price_pro', 2, { productIds: ['price_pro', 'prod'] }),
        item('price_pro_yearly', 1, { productIds: ['price_pro_yearly', 'prod'] }),
      ],
      ['pro × 2'],
      null,
    ],
    ['a plan named at the price', [item('price_x', 2, { planId: 'special' })], ['special × 2'], null],
    ['an item that no plan lists', [item('price_x')], [], NO_PLAN('price_x')],
    ['one of two that no plan lists', [item('price_pro'), item('price_x')], ['pro × 1'], NO_PLAN('price_x')],
    [
      'a wrong plan named at the price',
      [item('price_x', 1, { planId: 'gone' })],
      [],
      'The price names the plan gone, which this tenant does not have.',
    ],
    [
      'too many licenses',
      [item('price_team', MAX_LICENSES + 1), item('price_pro')],
      ['pro × 1'],
      'A purchase can create at most 100 licenses, and this one is for 102. Issue them yourself.',
    ],
    [
      'too many licenses of two plans together',
      [item('price_team', 90), item('price_crew', 90), item('price_pro')],
      ['pro × 1'],
      'A purchase can create at most 100 licenses, and this one is for 181. Issue them yourself.',
    ],
  ])('of %s', (_, items, licenses, unmapped) => {
    expect(owed({ charged: said(items, '1') })).toEqual([licenses, unmapped]);
    expect(owed({ items: said(items, '1'), charged: said([item('price_basic')], '2') })).toEqual([licenses, unmapped]);
  });

  const SOLD_WITH: Partial<PaymentRecord> = { planIds: { basic: '9' }, items: said([item('price_x')], '9') };
  it.each<[string, Partial<PaymentRecord>, readonly string[]]>([
    ['named at checkout, of what no plan lists', SOLD_WITH, ['basic × 1']],
    [
      'named at checkout, of what another plan lists',
      { ...SOLD_WITH, items: said([item('price_pro')], '9') },
      ['basic × 1'],
    ],
    [
      'named at checkout, of an item that became one of another plan',
      { ...SOLD_WITH, items: { ...said([item('price_x')], '1'), ...said([item('price_pro')], '9') } },
      ['pro × 1'],
    ],
    [
      'named at checkout, of an item that became one that no plan lists',
      { ...SOLD_WITH, items: { ...said([item('price_x')], '1'), ...said([item('price_y')], '9') } },
      ['basic × 1'],
    ],
    [
      'named at checkout, of an item that changed within a plan',
      { ...SOLD_WITH, items: { ...said([item('price_pro')], '1'), ...said([item('price_pro_yearly', 2)], '9') } },
      ['basic × 2'],
    ],
    [
      'named anew after the item changed',
      {
        planIds: { basic: '5', special: '9' },
        items: { ...said([item('price_x')], '1'), ...said([item('price_pro')], '9') },
      },
      ['special × 1'],
    ],
    [
      'named anew before the item changed',
      {
        planIds: { basic: '1', special: '9' },
        items: { ...said([item('price_x')], '5'), ...said([item('price_pro')], '9') },
      },
      ['pro × 1'],
    ],
    [
      'named at checkout, of several items, for those that no plan lists',
      { planIds: { basic: '9' }, items: said([item('price_pro'), item('price_x', 2), item('price_y')], '9') },
      ['pro × 1', 'basic × 2'],
    ],
    [
      'whose payment link a plan lists',
      { offerId: { at: '1', value: 'plink_basic' }, charged: said([item('price_x')], '1') },
      ['basic × 1'],
    ],
    [
      'by its item rather than its payment link',
      { offerId: { at: '1', value: 'plink_basic' }, charged: said([item('price_pro')], '1') },
      ['pro × 1'],
    ],
  ])('%s', (_, paid, licenses) => {
    expect(owed(paid)).toEqual([licenses, null]);
  });

  it('include what was sold once to a subscriber and a plan lists, by all payments that were not refunded', () => {
    const once = (...items: readonly Item[]) => Object.fromEntries(items.map((one) => [one.productIds[0] ?? '', one]));
    const [setup, basic, crew] = ['price_setup', 'price_basic', 'price_crew'].map((id) =>
      item(id, 2, { isOnce: true }),
    );
    const payment = (id: string, more: Partial<Payment>): Payment => ({ ...NO_PAYMENT, refs: [id], ...more });
    const items = said([item('price_pro')], '1');
    const payments = [
      payment('1', { once: once(setup as Item, basic as Item, crew as Item) }),
      payment('2', { once: once(basic as Item) }),
      payment('3', { once: once(basic as Item), isRefunded: true }),
    ];
    expect(owed({ items, payments, isSubscription: true })).toEqual([
      ['pro × 1', 'basic × 4, once', 'crew × 1, once', 'crew × 1, once'],
      null,
    ]);
    expect(owed({ charged: said([item('price_pro'), setup as Item, basic as Item], '1') })).toEqual([
      ['pro × 1', 'basic × 2'],
      NO_PLAN('price_setup'),
    ]);
  });

  it('leave out what is unrelated, and nothing that was sold once beside it', () => {
    const bag = item('price_bag');
    const basic = item('price_basic', 1, { isOnce: true });
    const payments = [{ ...NO_PAYMENT, refs: ['1'], once: { price_basic: basic } }];
    const unrelated = new Set(['price_bag']);
    const paid = { ...NO_PAYMENTS, items: said([bag], '1'), isSubscription: true };
    expect(licensesOwed(paid, PLANS, unrelated)).toEqual({ licenses: [], unmapped: null, isUnrelated: true });
    expect(licensesOwed({ ...paid, payments }, PLANS, unrelated)).toMatchObject({
      licenses: [{ plan: { id: 'basic' }, isOnce: true }],
      unmapped: null,
      isUnrelated: false,
    });
  });

  it('know what each is for, but for what the plan named at checkout takes', () => {
    const products = (paid: Partial<PaymentRecord>) =>
      licensesOwed({ ...NO_PAYMENTS, ...paid }, PLANS).licenses.map((license) => license.products);
    const two = [item('price_pro'), item('price_team', 1, { productIds: ['price_team', 'prod_team'] })];
    expect(products({ items: said(two, '1') })).toEqual([['price_pro'], ['prod_team']]);
    const named = { items: said([item('price_pro'), item('price_x')], '1'), planIds: { basic: '1' } };
    expect(products(named)).toEqual([['price_pro'], []]);
  });

  it('need a plan or a product', () => {
    expect(owed({})).toEqual([[], expect.stringContaining('names neither a plan nor a product')]);
    expect(owed({ planIds: { gone: '1' } })).toEqual([
      [],
      'The purchase names the plan gone, which this tenant does not have.',
    ]);
  });
});

describe('a purchase that changes', () => {
  const slot = (position: number, planId: string, more: Partial<LicenseSlot> = {}): LicenseSlot => ({
    position,
    planId,
    extensionId: planOf(planId).extensionId,
    isOnce: false,
    isEnded: false,
    isDead: false,
    ...more,
  });
  const license = (id: string) => ({
    plan: planOf(id.replace('once ', '')),
    units: 1,
    isOnce: id.startsWith('once '),
    products: [],
  });

  it.each<[string, readonly LicenseSlot[], readonly string[], object]>([
    ['to the same', [slot(1, 'pro')], ['pro'], { pairs: ['1 pro'] }],
    ['to another plan moves its license', [slot(1, 'basic')], ['pro'], { pairs: ['1 pro'] }],
    ['by one plan more', [slot(1, 'basic')], ['basic', 'pro'], { pairs: ['1 basic'], issued: ['pro'] }],
    ['by one plan less', [slot(1, 'basic'), slot(2, 'pro')], ['pro'], { pairs: ['2 pro'], ended: [1] }],
    ['by one license less', [slot(1, 'team'), slot(2, 'team')], ['team'], { pairs: ['1 team'], ended: [2] }],
    [
      'by one license less after one was deleted or revoked ends that one',
      [slot(1, 'team', { isDead: true }), slot(2, 'team'), slot(3, 'team')],
      ['team', 'team'],
      { pairs: ['2 team', '3 team'], ended: [1] },
    ],
    [
      'to fewer of another plan moves the licenses that work',
      [slot(1, 'basic', { isDead: true }), slot(2, 'basic')],
      ['pro'],
      { pairs: ['2 pro'], ended: [1] },
    ],
    [
      'by one license less and one more again takes up the revoked one, and issues none in its place',
      [slot(1, 'team', { isDead: true, isEnded: true }), slot(2, 'team')],
      ['team', 'team'],
      { pairs: ['2 team', '1 team'] },
    ],
    [
      'back takes up the license that ended',
      [slot(1, 'basic'), slot(2, 'pro', { isEnded: true })],
      ['basic', 'pro'],
      { pairs: ['1 basic', '2 pro'] },
    ],
    [
      'by the same plan, sold once, issues it',
      [slot(1, 'basic')],
      ['basic', 'once basic'],
      { pairs: ['1 basic'], issued: ['basic'] },
    ],
    [
      'to another plan does not move what was sold once',
      [slot(1, 'basic', { isOnce: true }), slot(2, 'basic')],
      ['pro', 'once basic'],
      { pairs: ['1 basic', '2 pro'] },
    ],
    [
      'into one of a subscription keeps what was sold once with it',
      [slot(1, 'basic')],
      ['once basic'],
      { pairs: ['1 basic'] },
    ],
    ['to another extension', [slot(1, 'basic')], ['other'], { issued: ['other'], ended: [1] }],
    [
      'after its license was deleted issues none',
      [slot(1, 'basic', { extensionId: null })],
      ['pro'],
      { pairs: ['1 pro'] },
    ],
  ])('%s', (_, slots, wanted, expected) => {
    const { pairs, issued, ended } = assignLicenses(
      slots,
      wanted.map((id) => license(id)),
      true,
    );
    expect({
      pairs: pairs.map((one) => `${one.slot.position} ${one.owed.plan.id}`),
      issued: issued.map(({ plan }) => plan.id),
      ended: ended.map(({ position }) => position),
    }).toEqual({ pairs: [], issued: [], ended: [], ...expected });
  });

  it('to an item that no plan lists ends no license', () => {
    expect(assignLicenses([slot(1, 'basic')], [], false)).toEqual({ pairs: [], issued: [], ended: [] });
  });
});
