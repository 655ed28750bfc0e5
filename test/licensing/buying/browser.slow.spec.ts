import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { Browser, formOf } from '../buyer/buyer.js';
import { BROWSERS, type Opened } from '../browsers.js';
import { MailDeliveryWorker, RestoresService, type World } from '../../support/app.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { run } from '../../support/process.js';
import { partOf, type SmtpServer } from '../../support/smtp-server.js';

describe('the example extension sells in a real browser', () => {
  let world: World;
  let smtp: SmtpServer;
  let folder: string;
  const opened: Opened[] = [];
  beforeAll(async () => {
    ({ world, smtp } = await startMailingWorld());
    folder = await mkdtemp(join(tmpdir(), 'pierhead-buying-'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The stand-in reads the clock of this machine. */
  const catchUp = (): void => world.clock.forward(Date.now() - world.clock.now().getTime());
  const atStripe = async (method: string, path: string, body: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${world.sandbox.url}/__sim/stripe${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };

  /** A seller of a license for two devices, whose Payment Link is at the stand-in. @returns the folder of the example */
  const assembled = async (name: string): Promise<string> => {
    const tenant = await world.given.tenant();
    const extensionId = await world.given.extension(tenant);
    const planId = await world.given.plan(tenant, extensionId, 2);
    const api = world.api.as(tenant);
    expectStatus(await api.patch(`/plans/${planId}`, { trialDays: 14 }), 200);
    const { accountId, credentials } = (await (await atStripe('POST', '/accounts', {})).json()) as {
      readonly accountId: string;
      readonly credentials: { readonly webhookSecret: string };
    };
    const { webhookSecret } = credentials;
    expectStatus(await api.post('/credentials', { store: 'stripe', credentials: { webhookSecret } }), 201);
    const checkoutUrl = `${world.sandbox.url}/stripe/shop/plink_1`;
    const products = [{ processor: 'stripe', productId: 'plink_1', checkoutUrl }];
    const { tier } = expectStatus(await api.call('PUT', `/plans/${planId}/products`, products), 200).body;
    await atStripe('PUT', '/shop', {
      accountId,
      webhookUrl: `${world.url}/api/v1/licensing/webhooks/payment/${tenant.tenantId}`,
      successUrl: `${world.url}/buyer/thanks`,
    });
    const extension = join(folder, name);
    const made = await run(['scripts/licensed-example.mjs', world.url, extensionId, extension, tier], {});
    expect(made).toMatchObject({ code: 0, stderr: '' });
    return extension;
  };

  /** Opens the link that was mailed for the device with a number. */
  const allow = async (email: string): Promise<Browser> => {
    await world.app.get(RestoresService).whenIdle();
    await world.app.get(MailDeliveryWorker).tick();
    const paths = smtp
      .to(email)
      .flatMap((mail) => /\/buyer\/restore\?token=[\w-]+/.exec(partOf(mail, 'text/plain')) ?? []);
    const browser = new Browser(world, smtp);
    const page = await browser.get(paths.at(-1) ?? '');
    await browser.send(formOf(page, 'restore'));
    return browser;
  };

  for (const [name, { test, open }] of Object.entries(BROWSERS))
    test(`in ${name}: tried, bought, used on a second device, restored after a reinstall, and ended by a refund, with nothing typed but an address`, async () => {
      const email = `${name.toLowerCase()}@buyer.example`;
      const extension = await assembled(name);
      let profiles = 0;
      const install = async (): Promise<Opened> => {
        const one = await open(extension, join(folder, `${name}-${(profiles += 1)}`));
        opened.push(one);
        await one.page.locator('#state[data-reason="no_code"]').waitFor();
        return one;
      };
      const shows = ({ page }: Opened, reason: string): Promise<void> =>
        page.locator(`#state[data-reason="${reason}"]`).waitFor();
      const asksToRestore = async ({ page }: Opened): Promise<Browser> => {
        await page.locator('#email').fill(email);
        await page.locator('#restore button').click();
        await page.locator('//*[@id="message"][contains(., "shows the number")]').waitFor();
        return allow(email);
      };

      const first = await install();
      catchUp();
      await first.page.locator('#trial').click();
      await shows(first, 'trial_active');
      await first.page.locator('#buy').click();
      await first.inNewTab(async (shop) => {
        await shop.locator('[name="email"]').fill(email);
        await shop.locator('button').click();
        await shop.locator('//h1[.="Thank you"]').waitFor();
      });
      await shows(first, 'active');

      const second = await install();
      await asksToRestore(second);
      await shows(second, 'active');
      await second.close();
      opened.splice(opened.indexOf(second), 1);

      const reinstalled = await install();
      const buyer = await asksToRestore(reinstalled);
      await shows(reinstalled, 'seat_limit_reached');
      await buyer.send(formOf(await buyer.get('/buyer/licenses'), 'release'));
      await reinstalled.page.reload();
      await shows(reinstalled, 'active');

      catchUp();
      await atStripe('POST', '/shop/refunds', { email });
      await reinstalled.page.reload();
      await shows(reinstalled, 'revoked');
    });
});
