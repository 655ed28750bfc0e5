import { answer, everything, type Schema, type Service } from '../api/service.js';
import { Failure } from '../failure.js';
import { table } from '../terminal/table.js';
import { linked, type Style } from '../terminal/style.js';
import { marked, stated, type Tone } from '../terminal/tones.js';
import { day } from '../terminal/words.js';
import { LICENSE_TONES, processorTitle } from './line.js';
import { moneyText } from './money.js';

export type Order = Schema<'Order'>;
type Details = Schema<'OrderDetails'>;

export interface OrderNarrowing {
  readonly extension?: string;
  readonly processor?: Order['processor'];
  readonly buyer?: string;
  readonly needsAttention?: 'true';
  readonly from?: string;
  readonly to?: string;
}

/** All orders that fit, newest first. */
export const listOrders = ({ client }: Service, query: OrderNarrowing): Promise<Order[]> =>
  everything((page) => client.GET('/api/v1/orders', { params: { query: { ...query, ...page } } }));

/** Finds an order by its id, or by the processor's id of it. @throws Failure when none or several have it */
export async function findOrder(service: Service, wanted: string): Promise<Details> {
  const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(wanted) ? wanted : await idOf(service, wanted);
  return answer(service.client.GET('/api/v1/orders/{id}', { params: { path: { id } } }));
}

async function idOf(service: Service, number: string): Promise<string> {
  const found = (await listOrders(service, {})).filter((order) => order.number === number);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  throw new Failure(`${found.length === 0 ? 'No order has' : 'Several orders have'} the number "${number}".`, {
    hint: 'pierhead orders list --json shows their ids.',
  });
}

/** Gives an order its plan. */
export const assignPlan = (service: Service, id: string, body: Schema<'AssignPlan'>): Promise<Details> =>
  answer(service.client.POST('/api/v1/orders/{id}/plan', { params: { path: { id } }, body }));

const productText = ({ product, productIds }: Order): string => product ?? (productIds.join(', ') || '—');

/** What was paid last, and what of all went back. */
const paidText = ({ amount, refunded }: Order): string =>
  `${amount === null ? '—' : moneyText(amount)}${refunded === null ? '' : `, ${moneyText(refunded)} refunded`}`;

const toneOf = ({ turn }: NonNullable<Order['problem']>): Tone => (turn === 'you' ? 'needs_you' : 'underway');

const licensesText = ({ licenses, problem }: Order, style: Style): string => {
  const made = licenses.map(
    ({ tier, codeHint, status }) => `${tier} …${codeHint}${status === 'active' ? '' : ` ${status}`}`,
  );
  return [...made, ...(problem === null ? [] : [stated(style, toneOf(problem), WRONG[problem.kind])])].join(', ');
};

const WRONG = { no_plan: 'has no plan', no_license: 'has no license', no_address: 'waits for an address' } as const;

/** One row for each order. @param url of the service, whose console the ids lead to */
export const orderTable = (orders: readonly Order[], style: Style, now: Date, url: string): string =>
  table(
    orders.map((order) => [
      day(order.orderedAt, now),
      order.buyer ?? '—',
      paidText(order),
      productText(order),
      `${processorTitle(order.processor)}${order.isTest ? ', test' : ''}`,
      licensesText(order, style) || '—',
      linked(style, `${url}/orders/${order.id}`, order.id),
    ]),
    style,
    {
      heads: ['ORDERED', 'BUYER', 'PAID', 'PRODUCT', 'AT', 'LICENSES', 'ID'],
      whole: [0, 2, 6],
      dispensable: [3, 4, 0],
    },
  );

const ORIGIN = { made: 'made it', returned: 'continues it', upgraded: 'upgraded it' } as const;

/** An order with what is wrong, its licenses and its events. */
export function orderDetails(order: Details, style: Style, now: Date): string {
  const { id, number, url, country, problem, notice, events, licenses } = order;
  const facts = [
    ['Order', `${number ?? id} at ${processorTitle(order.processor)}${order.isTest ? ' (test)' : ''}`],
    ['Buyer', `${order.buyer ?? 'unknown'}${country === null ? '' : ` (${country})`}`],
    ['Paid', paidText(order)],
    ['Product', productText(order)],
    ['Since', day(order.orderedAt, now)],
    ...(url === null ? [] : [['Page', linked(style, url)]]),
    ['Id', id],
  ];
  const wrong = problem === null ? [] : [`${marked(style, toneOf(problem), problem.message)}\n  ${problem.remedy}`];
  const made = licenses.map((license) => [
    `…${license.codeHint}`,
    license.tier,
    stated(style, LICENSE_TONES[license.status], license.status),
    ORIGIN[license.origin] + (license.passedAt === null ? '' : `, passed on ${day(license.passedAt, now)}`),
    license.id,
  ]);
  const told = events.map(({ kind, happenedAt, status, reason }) => [day(happenedAt, now), kind, status, reason ?? '']);
  return [
    table(facts, style, { endsInProse: true }),
    ...wrong,
    ...(notice === null ? [] : [notice]),
    ...(made.length === 0
      ? []
      : [table(made, style, { heads: ['LICENSE', 'PLAN', 'STATUS', 'THE ORDER', 'ID'], whole: [0, 4] })]),
    table(told, style, { heads: ['TIME', 'EVENT', 'WHAT BECAME OF IT', ''], whole: [0], endsInProse: true }),
  ].join('\n\n');
}
