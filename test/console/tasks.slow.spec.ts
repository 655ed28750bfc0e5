import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { ExportWorker, MailDeliveryWorker, PasswordResetsService } from '../support/app.js';
import { packageOf } from '../support/packages.js';
import { SECRETS } from '../support/payment-signers.js';
import { partOf, SmtpServer } from '../support/smtp-server.js';
import { Home } from './pages/home.js';
import { Desk, inChromium } from './support/desk.js';
import { Keys, Mouse, type Hands } from './support/hands.js';
import { makePractice, type Practice } from './support/practice.js';

/** Something that somebody comes to the console for, from the page where they are. */
interface Task {
  readonly name: string;
  /** The clicks that it may take. */
  readonly clicks: number;
  /** Ends once the page shows that it is done. */
  do(hands: Hands, practice: Practice, desk: Desk): Promise<void>;
}

const NEW_PASSWORD = 'a heron counts seven reeds';
/** On three pages. */
const RECOVERY_CLICKS = 6;

const dialog = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
const button = (at: Page | Locator, name: string | RegExp): Locator => at.getByRole('button', { name }).first();
const link = (at: Page | Locator, name: string | RegExp): Locator => at.getByRole('link', { name }).first();
const rail = (page: Page): Locator => page.getByRole('navigation', { name: 'Console' });
const settings = (page: Page): Locator => page.getByRole('navigation', { name: 'Settings' });
const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** Finds somebody by how their address begins, and opens what was found. */
async function find(hands: Hands, address: string): Promise<void> {
  const { page } = hands;
  await hands.search();
  await new Home(page).search.fill(address.slice(0, Math.ceil(address.length / 2)));
  await page.getByRole('option').filter({ hasText: address }).first().waitFor();
  await page.keyboard.press('Enter');
}

const TASKS: readonly Task[] = [
  {
    name: 'release an approved version',
    clicks: 2,
    do: async (hands) => {
      await hands.press(link(new Home(hands.page).needs.filter({ hasText: 'Night Shade' }), 'Release'));
      await hands.press(button(dialog(hands.page), 'Publish the approved version'));
      await hands.page.getByText('Chrome publishes the version once it is approved.').first().waitFor();
    },
  },
  {
    name: 'widen a rollout',
    clicks: 2,
    do: async (hands) => {
      await hands.press(button(hands.page, /^25%: offer .*2\.2\.0 at Chrome/));
      await hands.press(button(dialog(hands.page), 'Offer to 25% of users'));
      await hands.page.getByText('10% → 25%').first().waitFor();
    },
  },
  {
    name: 'roll a version back',
    clicks: 5,
    do: async (hands) => {
      await hands.press(link(hands.page.getByRole('main'), 'Tab Counter'));
      await hands.press(button(hands.page.getByRole('main'), /^Roll back/));
      await hands.type(dialog(hands.page).getByLabel('Reason'), 'It counts twice.');
      const typed = dialog(hands.page).getByLabel(/^Type “/);
      const [, name = ''] = /“(.+)”/.exec((await dialog(hands.page).textContent()) ?? '') ?? [];
      await hands.type(typed, name);
      await hands.press(button(dialog(hands.page), /^Roll back/));
      await dialog(hands.page).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'find a buyer by half an address',
    clicks: 1,
    do: async (hands, { buyer }) => {
      await find(hands, buyer);
      await new Home(hands.page).search.waitFor({ state: 'detached' });
      await hands.page.getByRole('main').getByText(buyer).first().waitFor();
    },
  },
  {
    name: 'free a seat',
    clicks: 3,
    do: async (hands, { buyer }) => {
      await find(hands, buyer);
      await hands.press(button(hands.page, 'Free'));
      await hands.press(button(dialog(hands.page), 'Free the seat'));
      await hands.page.getByRole('heading', { name: 'No device yet' }).waitFor();
    },
  },
  {
    name: 'issue fifty codes',
    clicks: 4,
    do: async (hands) => {
      await hands.press(link(rail(hands.page), 'Licenses'));
      await hands.press(button(hands.page, 'Issue many'));
      await hands.type(dialog(hands.page).getByLabel('Number'), '50');
      await hands.press(button(dialog(hands.page), 'Issue'));
      const codes = hands.page.getByRole('alertdialog', { name: '50 codes' });
      const file = await hands.saved(button(codes, 'Save as CSV'));
      expect((await readFile(await file.path(), 'utf8')).trim().split('\n')).toHaveLength(51);
    },
  },
  {
    name: 'see what became of a refund',
    clicks: 2,
    do: async (hands, { refunded }) => {
      await find(hands, refunded);
      await hands.press(link(hands.page.getByRole('main'), refunded));
      await hands.page
        .getByText(/€9\.00 refunded/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'see who revoked a license',
    clicks: 1,
    do: async (hands, { former, colleague }) => {
      await find(hands, former);
      const row = hands.page.getByRole('row').filter({ hasText: /revoked/i });
      await row.filter({ hasText: colleague }).first().waitFor();
    },
  },
  {
    name: 'set up Stripe in test mode',
    clicks: 6,
    do: async (hands) => {
      await hands.press(link(rail(hands.page), 'Licenses'));
      await hands.choose(button(hands.page, 'More'), 'Plans and payments');
      await hands.press(button(hands.page, 'Connect Stripe'));
      await hands.type(dialog(hands.page).getByLabel('Webhook secret'), SECRETS.stripe);
      await hands.tick(dialog(hands.page).getByRole('checkbox', { name: /^Test mode/ }));
      await hands.press(button(dialog(hands.page), 'Check and save'));
      await hands.page.getByText('Saved the secret of Stripe.').first().waitFor();
    },
  },
  {
    name: 'rotate the key that is refused',
    clicks: 3,
    do: async (hands, { locked }, { world }) => {
      const { serviceAccount } = await world.control.rotate(locked.clientEmail);
      await hands.press(link(new Home(hands.page).needs.filter({ hasText: 'Quiet Inbox' }), 'Rotate'));
      const buffer = Buffer.from(JSON.stringify(serviceAccount));
      const file = { name: 'key.json', mimeType: 'application/json', buffer };
      await hands.give(dialog(hands.page).getByLabel(/^Key file/), file);
      await hands.press(button(dialog(hands.page), 'Check and replace'));
      await dialog(hands.page).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'invite a colleague',
    clicks: 3,
    do: async (hands) => {
      await hands.choose(button(rail(hands.page), /Account menu/), 'Invite people');
      await hands.type(dialog(hands.page).getByLabel('E-mail'), 'colleague@author.example');
      await hands.press(button(dialog(hands.page), 'Invite'));
      await dialog(hands.page).getByLabel('link', { exact: true }).waitFor();
    },
  },
  {
    name: 'trust a repository by its address',
    clicks: 4,
    do: async (hands) => {
      await hands.press(link(rail(hands.page), 'Settings'));
      await hands.press(link(settings(hands.page), 'CI'));
      await hands.press(button(hands.page, 'Trust a repository'));
      await hands.type(dialog(hands.page).getByLabel('Repository'), 'https://github.com/acme/tab-counter/tree/main');
      await hands.press(button(dialog(hands.page), 'Trust'));
      await hands.page.getByRole('row').filter({ hasText: 'acme/tab-counter' }).waitFor();
    },
  },
  {
    name: 'export everything',
    clicks: 4,
    do: async (hands, _practice, { world }) => {
      await hands.press(link(rail(hands.page), 'Settings'));
      await hands.press(link(settings(hands.page), 'Workspace'));
      await hands.press(button(hands.page, 'Export everything'));
      await hands.page.getByRole('row').filter({ hasText: 'being written' }).waitFor();
      await world.app.get(ExportWorker).tick();
      const file = await hands.saved(button(hands.page, 'Download'));
      expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
    },
  },
  {
    name: 'push a version',
    clicks: 3,
    do: async (hands) => {
      const { page } = hands;
      await hands.press(link(page, 'Push a version of Night Shade'));
      const file = { name: 'shade.zip', mimeType: 'application/zip', buffer: await packageOf('1.2.0') };
      await hands.give(page.getByLabel('Package of the extension'), file);
      await hands.press(button(page, 'Push 1.2.0'));
      await heading(page, '1.2.0');
    },
  },
];

inChromium('somebody who comes to the console', () => {
  let smtp: SmtpServer;
  let desk: Desk;
  beforeAll(async () => {
    smtp = await SmtpServer.start();
    desk = await Desk.open({ ...smtp.env, DEFAULT_TENANT_QUOTA: 'unlimited' });
  });
  afterAll(async () => {
    await desk.close();
    await smtp.close();
  });

  /** Recovers a password: the only task of somebody who is not logged in. */
  async function recover(hands: Hands, { owner }: Practice): Promise<void> {
    const { page } = hands;
    await hands.type(page.getByLabel('E-mail'), owner.email);
    await hands.press(button(page, 'Forgotten password'));
    await hands.press(button(page, 'Send a link'));
    await page.getByText(`If ${owner.email} has an account`).waitFor();
    await desk.world.app.get(PasswordResetsService).whenIdle();
    await desk.world.app.get(MailDeliveryWorker).tick();
    const [mail] = smtp
      .to(owner.email)
      .filter(({ source }) => source.includes('reset-password'))
      .slice(-1);
    const [address = ''] = /http\S+reset-password\S+/.exec(mail === undefined ? '' : partOf(mail, 'text/plain')) ?? [];
    await page.goto(address);
    await hands.type(page.getByLabel(/password/i).first(), NEW_PASSWORD);
    await hands.press(button(page, /password/i));
    await page.locator('input[type=password]').waitFor({ state: 'detached' });
    await page.goto('/');
    await hands.type(page.getByLabel('E-mail'), owner.email);
    await hands.type(page.getByLabel('Password'), NEW_PASSWORD);
    await hands.press(button(page, 'Log in'));
    await rail(page).waitFor();
  }

  describe.each([
    ['with a mouse', (page: Page) => new Mouse(page)],
    ['by keyboard alone', (page: Page) => new Keys(page)],
  ] as const)('%s', (means, handsOn) => {
    let practice: Practice;
    beforeAll(async () => {
      practice = await makePractice(desk.world, means.split(' ')[0] ?? '');
    });

    it.each(TASKS)('$name', async (task) => {
      const page = await desk.visit({ as: practice.owner });
      await desk.settled(page);
      const hands = handsOn(page);
      await task.do(hands, practice, desk);
      if (!(hands instanceof Mouse)) return;
      expect(hands.clicks).toBeLessThanOrEqual(task.clicks);
    });

    it('recover a password', async () => {
      const hands = handsOn(await desk.visit());
      await recover(hands, practice);
      if (hands instanceof Mouse) expect(hands.clicks).toBeLessThanOrEqual(RECOVERY_CLICKS);
    });
  });
});
