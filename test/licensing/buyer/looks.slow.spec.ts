import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Desk, inChromium } from '../../console/support/desk.js';
import { luminanceOf } from '../../support/contrast.js';
import { expectStatus } from '../../support/given.js';
import { SmtpServer } from '../../support/smtp-server.js';
import { FULL_SIZE } from '../../support/processor-events/index.js';
import { Seller } from '../../webhooks/seller.js';
import { Shop } from '../shop.js';
import { Browser } from './buyer.js';
import { pngOf } from './logos.js';

const HOSTILE = '"><img src=x onerror=alert(1)> é漢 مرحبا 🦉';

inChromium('the looks of the buyers’ pages', () => {
  let smtp: SmtpServer;
  let desk: Desk;
  beforeAll(async () => {
    smtp = await SmtpServer.start();
    desk = await Desk.open(smtp.env);
  });
  afterAll(async () => {
    await desk.close();
    await smtp.close();
  });

  const look = (page: Page, name: string): Promise<void> => desk.look(page, name, () => 'html');

  it('are those of the console in both schemes, for a mouse, a keyboard and a phone', async () => {
    const shop = await Shop.open(desk.world, { maxActivations: 3 });
    const { buyerEmail: email } = expectStatus(await shop.mine('GET', `/licenses/${shop.licenseId}`), 200).body;
    for (const deviceInfo of ['Old laptop', HOSTILE.repeat(4)])
      expectStatus(await shop.activate(randomUUID(), { deviceInfo }), 200);
    const page = await desk.visit({ path: '/buyer' });
    await look(page, 'buyer-ask');
    await page.getByLabel('E-mail address').fill(email);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await look(page, 'buyer-asked');
    await page.goto(`/buyer/enter?token=${await new Browser(desk.world, smtp).linkOf(email)}`);
    await look(page, 'buyer-enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('2 of 3 devices').waitFor();
    await look(page, 'buyer-licenses');
    await page.getByText('Code ends with').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Get a new code' }).waitFor();
    await look(page, 'buyer-licenses-open');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your new code' }).waitFor();
    await look(page, 'buyer-code');
    await page.getByRole('link', { name: 'Back to my licenses' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto('/buyer/enter?token=spent');
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await look(page, 'buyer-refused');
    expect(await page.locator('script').count()).toBe(0);
    await page.goto(`/buyer/activate/${shop.extensionId}`);
    await page.getByText('Your code comes with the link').waitFor();
    await look(page, 'buyer-activate-none');
    await page.goto(`/buyer/activate/${shop.extensionId}#${shop.license.code}`);
    await page.getByText(shop.license.code).waitFor();
    await look(page, 'buyer-activate-asked');
    // What an extension answers.
    for (const reason of [
      'active',
      'seat_limit_reached',
      'licensed_already',
      'code_replaced',
      'revoked',
      'unavailable',
    ]) {
      await page.locator('#pierhead-code').evaluate((shown, said) => {
        shown.dataset['reason'] = said;
        shown.dispatchEvent(new Event('pierhead'));
      }, reason);
      await look(page, `buyer-activate-${reason}`);
    }
  });

  it('are those of a seller whose name, logo and colour are as awkward as can be, with links to the processor', async () => {
    const name = 'مكتبة البومة الليلية للإضافات 🦉 "><b>漢 WWWWWWWWWWW';
    const seller = await Seller.in(desk.world, 'lemonsqueezy');
    const api = desk.world.api.as(seller.tenant);
    const brand = {
      displayName: name,
      supportAddress: `https://help.owl.example/${'long-'.repeat(30)}`,
      accentColor: '#ffe600',
      logo: pngOf(1024, 40).toString('base64'),
    };
    expectStatus(await api.patch('/branding', brand), 200);
    expectStatus(await api.patch(`/extensions/${seller.extensionId}`, { name: `${HOSTILE} مرحبا` }), 200);
    const sale = seller.sale({ email: `${'long'.repeat(14)}@buyer.example` });
    await seller.sendAll(FULL_SIZE.lemonsqueezy.paidMonth(sale, 1));
    const page = await desk.visit({ path: `/buyer?seller=${seller.tenant.tenantId}` });
    await page.getByRole('banner').getByText(name, { exact: true }).waitFor();
    await look(page, 'buyer-brand-ask');
    await page.getByLabel('E-mail address').fill(sale.email ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await look(page, 'buyer-brand-asked');
    const link = await new Browser(desk.world, smtp).linkOf(sale.email ?? '');
    await page.goto(`/buyer/enter?token=${link}&seller=${seller.tenant.tenantId}`);
    await look(page, 'buyer-brand-enter');
    await page.getByRole('button').click();
    await page.getByRole('link', { name: /^Receipt: / }).waitFor();
    await page.getByRole('link', { name: /^Manage subscription: / }).waitFor();
    await page.waitForLoadState();
    expect(
      await page
        .getByRole('banner')
        .locator('img')
        .evaluate((one) => 'naturalWidth' in one && one.naturalWidth),
    ).toBe(1024);
    await look(page, 'buyer-brand-licenses');

    const other = await desk.world.given.licensed();
    const others = desk.world.api.as(other);
    expectStatus(await others.patch('/branding', { displayName: 'Second', accentColor: '#0b5fcc' }), 200);
    expectStatus(await others.post('/licenses', { planId: other.planId, buyerEmail: sale.email }), 201);
    await page.reload();
    await page.getByText('Second', { exact: true }).first().waitFor();
    await look(page, 'buyer-brand-several');
  });

  it('have a colour that can be read, whatever their seller chose', async () => {
    const { tenantId, token } = await desk.world.given.tenant();
    expectStatus(await desk.world.api.as({ token }).patch('/branding', { accentColor: '#0b5fcc' }), 200);
    const page = await desk.visit({ path: `/buyer?seller=${tenantId}` });
    /** The luminance of the button, which calculates its colour with that of the seller. */
    const luminanceFor = (colour: string): Promise<number> =>
      page.getByRole('button').evaluate((one, brand) => {
        const { defaultView, documentElement } = one.ownerDocument;
        documentElement.style.setProperty('--brand', brand);
        const shown = defaultView?.getComputedStyle(one).backgroundColor ?? '';
        return Number(/^color\(xyz-d65 \S+ (\S+) \S+\)$/.exec(shown)?.[1]);
      }, colour);
    const channels = ['00', '80', 'ff'];
    const colours = channels.flatMap((r) => channels.flatMap((g) => channels.map((b) => `#${r}${g}${b}`)));
    for (const [colorScheme, least, most] of [
      ['light', 0, 0.16],
      ['dark', 0.25, 1],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      for (const colour of [...colours, '#0b5fcc', '#6cb0ff']) {
        const expected = Math.min(Math.max(luminanceOf(colour), least), most);
        expect([colour, await luminanceFor(colour)]).toEqual([colour, expect.closeTo(expected, 3)]);
      }
    }
  });
});
