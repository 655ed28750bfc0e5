import { Command, Option } from 'commander';
import { PROCESSORS } from '../api/processors.js';
import { action, type Context } from '../context.js';
import { rangeOf, type RangeOptions } from '../analytics/range.js';
import { assignPlan, findOrder, listOrders, orderDetails, orderTable, type Order } from '../licensing/orders.js';
import { choosePlan, plansOf } from '../licensing/plans.js';
import { findExtension } from '../publishing/extensions.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

const ORDER = "id of the order, or the processor's id of it";

/** Orders: what buyers bought at the payment processors. */
export const ordersCommand = (): Command =>
  withExamples(
    new Command('orders').description('List orders, and give one the plan that it lacks.'),
    'pierhead orders',
    'pierhead orders assign sub_1QXyZ2 --tier pro',
  )
    .addCommand(listing(), { isDefault: true })
    .addCommand(show())
    .addCommand(assign());

interface ListOptions extends RangeOptions {
  readonly extension?: string;
  readonly processor?: Order['processor'];
  readonly buyer?: string;
  readonly problems?: true;
}

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List orders: who paid how much for what, and the licenses that it made or continued.')
      .option('-e, --extension <name>', 'only those that made a license of this extension')
      .addOption(new Option('--processor <id>', 'only those at it').choices(PROCESSORS.map(({ id }) => id)))
      .option('--buyer <email>', "only those with this buyer's mail address")
      .option('--problems', 'only those that have a problem')
      .option('--from <day>', 'only those of this day or later, in UTC')
      .option('--to <day>', 'only those until this day, in UTC')
      .option('--last <days>', 'number of days, instead of --from, such as 90d')
      .action(action(listAll)),
    'pierhead orders list --problems',
    'pierhead orders list --buyer ann@example.com',
  );

async function listAll(context: Context, options: ListOptions): Promise<void> {
  const { extension, processor, buyer, problems } = options;
  const { from, to } = rangeOf(options, new Date());
  const service = await context.service();
  const own = extension === undefined ? null : await findExtension(service, extension, await context.project());
  const items = await listOrders(service, {
    ...(own === null ? {} : { extension: own.id }),
    ...(processor === undefined ? {} : { processor }),
    ...(buyer === undefined ? {} : { buyer }),
    ...(problems === true ? { needsAttention: 'true' } : {}),
    ...(from === undefined ? {} : { from: `${from}T00:00:00Z` }),
    ...(to === undefined ? {} : { to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString() }),
  });
  context.terminal.result({ items }, () =>
    items.length === 0 ? 'There is no order.' : orderTable(items, context.terminal.style, new Date(), service.url),
  );
}

const DAY_MS = 86_400_000;

const show = (): Command =>
  withExamples(
    new Command('show')
      .description('Show an order with its licenses, its events, and what is wrong with it.')
      .argument('<order>', ORDER)
      .action(action(showOne)),
    'pierhead orders show sub_1QXyZ2',
  );

async function showOne(context: Context, wanted: string): Promise<void> {
  const order = await findOrder(await context.service(), wanted);
  context.terminal.result(order, () => orderDetails(order, context.terminal.style, new Date()));
}

interface AssignOptions {
  readonly extension?: string;
  readonly tier?: string;
  readonly remember?: true;
}

const assign = (): Command =>
  withExamples(
    new Command('assign')
      .description('Give an order the plan that it lacks: its licenses are issued, and their codes mailed, once.')
      .argument('<order>', ORDER)
      .option(...EXTENSION)
      .option('-t, --tier <tier>', 'tier or id of the plan (default: the only one)')
      .option('--remember', 'also list its products with the plan, for later sales')
      .action(action(assignOne)),
    'pierhead orders assign sub_1QXyZ2 --tier pro --remember',
  );

async function assignOne(context: Context, wanted: string, options: AssignOptions): Promise<void> {
  const service = await context.service();
  const { id: planId } = choosePlan((await plansOf(context, service, options)).plans, options.tier);
  const { id } = await findOrder(service, wanted);
  const order = await assignPlan(service, id, { planId, ...(options.remember ? { remember: true } : {}) });
  context.terminal.result(order, () => orderDetails(order, context.terminal.style, new Date()));
}
