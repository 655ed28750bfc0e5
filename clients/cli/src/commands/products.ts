import { Command, Option } from 'commander';
import { action, type Context } from '../context.js';
import { choosePlan, plansOf } from '../licensing/plans.js';
import {
  changeProducts,
  isSameProduct,
  planOfProduct,
  productOf,
  productTable,
  QUANTITY,
} from '../licensing/products.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

const PRODUCT = 'processor and id of a price, product or payment link, such as stripe:price_123';

interface OfExtension {
  readonly extension?: string;
}
interface AddOptions extends OfExtension {
  readonly plan?: string;
  readonly quantity?: 'devices' | 'licenses';
  readonly checkout?: string;
}

/** Written in place of an address. */
const NO_CHECKOUT = 'none';
const UNITS = { devices: 'seats', licenses: 'license' } as const;

/** Products: what payment processors sell as a plan. */
export const productsCommand = (): Command =>
  [listing, add, remove].reduce(
    (group, subcommand) => group.addCommand(subcommand()),
    withExamples(
      new Command('products').description('Say which products of your payment processors are sold as which plan.'),
      'pierhead products add stripe:price_123 --plan pro',
    ),
  );

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List the products that are sold as a plan of an extension.')
      .option(...EXTENSION)
      .action(action(listAll)),
    'pierhead products list',
  );

async function listAll(context: Context, options: OfExtension): Promise<void> {
  const { plans } = await plansOf(context, await context.service(), options);
  const items = plans.flatMap(({ id: planId, tier, products }) => products.map((each) => ({ ...each, planId, tier })));
  context.terminal.result({ items }, () => productTable(plans, context.terminal.style));
}

const add = (): Command =>
  withExamples(
    new Command('add')
      .description(
        'Issue licenses of a plan for each sale of a product from now on. The console replays earlier sales.',
      )
      .argument('<product>', PRODUCT)
      .option(...EXTENSION)
      .option('-p, --plan <tier>', 'tier or id of the plan (default: the only one)')
      .addOption(
        new Option(
          '--quantity <what>',
          'what more than one buys: more devices on one license, or more licenses (default: as it is, or devices)',
        ).choices(['devices', 'licenses']),
      )
      .option(
        '--checkout <url>',
        `address of its checkout, to which your extension sends its users; ${NO_CHECKOUT} for none`,
      )
      .action(action(addOne)),
    'pierhead products add stripe:price_123 --plan pro',
    'pierhead products add paddle:pri_01 --plan team --quantity licenses',
    'pierhead products add stripe:plink_123 --checkout https://buy.stripe.com/test_123',
  );

async function addOne(context: Context, text: string, options: AddOptions): Promise<void> {
  const product = productOf(text);
  const service = await context.service();
  const { plans } = await plansOf(context, service, options);
  const { id } = choosePlan(plans, options.plan);
  const plan = await changeProducts(service, id, (before) => {
    const known = before.find((each) => isSameProduct(each, product));
    const perUnit = options.quantity === undefined ? (known?.perUnit ?? 'seats') : UNITS[options.quantity];
    const checkoutUrl = options.checkout ?? known?.checkoutUrl ?? NO_CHECKOUT;
    const entry = { ...product, perUnit, ...(checkoutUrl === NO_CHECKOUT ? {} : { checkoutUrl }) };
    return known === undefined ? [...before, entry] : before.map((each) => (each === known ? entry : each));
  });
  const { perUnit = 'seats', checkoutUrl } = plan.products.find((each) => isSameProduct(each, product)) ?? {};
  const sold = checkoutUrl === undefined ? '' : ` Extensions sell it at ${checkoutUrl}.`;
  context.terminal.result(plan, ({ tier }) => `${text} buys ${tier}; more than one buys ${QUANTITY[perUnit]}.${sold}`);
}

const remove = (): Command =>
  withExamples(
    new Command('remove')
      .description('Issue no more licenses for a product. Existing licenses stay.')
      .argument('<product>', PRODUCT)
      .option(...EXTENSION)
      .action(action(removeOne)),
    'pierhead products remove stripe:price_123',
  );

async function removeOne(context: Context, text: string, options: OfExtension): Promise<void> {
  const product = productOf(text);
  const service = await context.service();
  const { plans } = await plansOf(context, service, options);
  const { id } = planOfProduct(plans, product);
  const plan = await changeProducts(service, id, (before) => before.filter((each) => !isSameProduct(each, product)));
  context.terminal.result(plan, ({ tier }) => `${text} no longer buys ${tier}.`);
}
