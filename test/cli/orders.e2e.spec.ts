import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { Seller } from '../webhooks/seller.js';
import { authorAt, type Author } from './author.js';

describe('orders at the shell', () => {
  let world: World;
  let author: Author;
  let seller: Seller;
  beforeAll(async () => {
    world = await startWorld();
    author = await authorAt(world, []);
    seller = await Seller.of(world, 'stripe', author, author.extensionId);
  });
  afterAll(async () => {
    await author.shell.close();
    await world.close();
  });

  const run = async (...args: readonly string[]) => {
    const said = await author.shell.run(args);
    return { ...said, stdout: said.stdout.replaceAll(/ +/g, ' ') };
  };

  it('are listed, shown, and given the plan that they lack, whose products are remembered', async () => {
    expect(await run('orders')).toMatchObject({ code: 0, stdout: 'There is no order.\n' });
    const { soldOnce, bag } = FULL_SIZE.stripe;
    const sale = seller.sale();
    await seller.sendAll(soldOnce(sale, { items: [bag] }));
    const listed = await run('orders', 'list', '--problems', '--buyer', String(sale.email), '--last', '2d');
    expect(listed.stdout).toMatch(`${sale.email} €9.00 prod_bag Stripe ! has no plan`);
    const number = `in_once_${sale.tag}`;
    const shown = await run('orders', 'show', number);
    expect(shown.stdout).toMatch(/No plan lists any of price_bag, prod_bag/);
    expect(shown.stdout).toMatch(`Page https://dashboard.stripe.com/payments/pi_1_${sale.tag}`);
    const assigned = await run('orders', 'assign', number, '--remember');
    expect(assigned).toMatchObject({ code: 0, stdout: expect.stringMatching(/ …\w{5} tier \w+ ● active /) });
    const again = await run('orders', 'assign', number, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ problem: null, licenses: [{ status: 'active' }] });
    expect(await seller.licenses()).toHaveLength(1);
    await seller.sendAll(soldOnce(seller.sale(), { items: [bag] }));
    expect((await run('orders', 'list', '--problems')).stdout).toBe('There is no order.\n');
    expect(await run('orders', 'show', 'in_none')).toMatchObject({ code: 1 });
  });

  it('add up to sales figures, also as CSV', async () => {
    const { stdout } = await run('sales', '--by', 'processor');
    expect(stdout).toMatch(
      /PROCESSOR SALES RENEWALS REFUNDS DISPUTES NET SUBSCRIPTIONS\n stripe 2 · €18.00 — — — €18.00 0\n/,
    );
    expect((await run('sales')).stdout).toMatch(/\n EUR 2 · €18.00 /);
    expect((await run('sales', '--to', '2020-01-31')).stdout).toMatch(/^Nothing was sold on these days\.|EUR — /);
    expect((await run('sales', '--csv')).stdout.split('\n')[1]?.trim()).toBe(',,EUR,2,1800,0,0,0,0,0,0,1800,0');
    expect(await run('sales', '--csv', '--json')).toMatchObject({ code: 2 });
  });
});
