import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { MailDeliveryWorker, type World } from '../../support/app.js';
import type { Driven } from '../../support/firefox.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { run } from '../../support/process.js';
import type { SmtpServer } from '../../support/smtp-server.js';
import { BROWSERS, type Opened } from '../browsers.js';
import { codeIn } from '../delivery/codes.js';
import { Shop } from '../shop.js';
import { activationsIn } from './links.js';

describe('the button of a buyer’s mail, in a real browser with the example extension', () => {
  let world: World;
  let smtp: SmtpServer;
  let folder: string;
  let opened: Opened | undefined;
  beforeAll(async () => {
    ({ world, smtp } = await startMailingWorld());
    folder = await mkdtemp(join(tmpdir(), 'pierhead-activation-'));
  });
  afterEach(() => opened?.close());
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Mails a new code of a license. @returns the address of the mail's button */
  const mailed = async (shop: Shop, licenseId: string): Promise<string> => {
    const { buyerEmail } = expectStatus(await shop.mine('POST', `/licenses/${licenseId}/resend`), 200).body;
    await world.app.get(MailDeliveryWorker).tick();
    const [path = ''] = activationsIn(smtp.to(buyerEmail).at(-1));
    return world.url + path;
  };
  const shows = (page: Driven, text: string): Promise<void> =>
    page.locator(`//*[@data-for and not(@hidden)][contains(., "${text}")]`).waitFor();
  const isClean = async (page: Driven, link: string): Promise<void> => {
    expect(await page.url()).toBe(link.split('#')[0]);
  };

  for (const [name, { test, open }] of Object.entries(BROWSERS))
    test(`activates it in ${name} with that one click, leaves no code in the address bar, and asks before it replaces a license`, async () => {
      const shop = await Shop.open(world, { maxActivations: 1 });
      const licensing = { activationLink: true };
      expectStatus(await shop.mine('PATCH', `/extensions/${shop.extensionId}`, { licensing }), 200);
      const extension = join(folder, name);
      const assembled = await run(['scripts/licensed-example.mjs', world.url, shop.extensionId, extension], {});
      expect(assembled).toMatchObject({ code: 0, stderr: '' });
      opened = await open(extension, join(folder, `${name}-profile`));
      const { page } = opened;
      const popup = await page.url();
      await page.locator('//*[@id="state"][.="inactive"]').waitFor();

      const link = await mailed(shop, shop.licenseId);
      await page.goto(link);
      await shows(page, 'is activated in this browser');
      await isClean(page, link);
      expect(await shop.used()).toBe(1);
      // The mail is opened again.
      await page.goto(popup);
      await page.locator('//*[@id="state"][.="active"]').waitFor();
      await page.goto(link);
      await shows(page, 'is activated in this browser');
      await page.reload();
      await shows(page, 'press the button in your mail again');

      const { planId } = shop.license;
      const wanted = { planId, buyerEmail: `${name.toLowerCase()}@buyer.example` };
      const { id } = expectStatus(await shop.mine('POST', '/licenses', wanted), 201).body;
      const other = await mailed(shop, id);
      const usedThen = async (): Promise<number> =>
        expectStatus(await shop.mine('GET', `/licenses/${id}`), 200).body.seats.used;
      await page.goto(other);
      await shows(page, 'already, with another code');
      await isClean(page, other);
      expect(await usedThen()).toBe(0);
      await page.locator('#pierhead-replace').click();
      await shows(page, 'is activated in this browser');
      expect(await usedThen()).toBe(1);
    });

  for (const [name, { test, open }] of Object.entries(BROWSERS))
    test(`shows the code to paste in ${name} when the extension of the link is not there, and nothing that is no code`, async () => {
      const [shop, elsewhere] = [await Shop.open(world), await Shop.open(world)];
      const extension = join(folder, `${name}-other`);
      await run(['scripts/licensed-example.mjs', world.url, elsewhere.extensionId, extension], {});
      opened = await open(extension, join(folder, `${name}-other-profile`));
      const { page } = opened;
      const path = `${world.url}/buyer/activate/${shop.extensionId}`;
      for (const wrong of ['', '#', '#Call-us-at-0800', `#${shop.license.code}x`, `#<b>${shop.license.code}</b>`]) {
        await page.goto(`${world.url}/buyer`);
        await page.goto(path + wrong);
        await shows(page, 'press the button in your mail again');
      }
      // In the same tab only the fragment changes.
      await page.goto(`${path}#${shop.license.code}`);
      await page.locator(`//*[@id="pierhead-code"][.="${codeIn(shop.license.code)}"]`).waitFor();
      await shows(page, 'if it is in this browser');
      expect(await page.url()).toBe(path);
      expect(await elsewhere.used()).toBe(0);
    });
});
