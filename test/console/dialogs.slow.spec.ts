import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { reviewedAtAppStore } from '../listings/reviewed.js';
import { Author } from '../reconcile/author.js';
import { SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { oneOffSale } from '../support/purchases.js';
import { Seller } from '../webhooks/seller.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';
import { beyondAt } from './support/widths.js';

const ROOT = 'console/src';
const PLACE = 'https://hook.example/pierhead';

interface Opened {
  /** The file that has the dialog. */
  readonly of: string;
  /** The page; names in capitals stand for the ids of this test's. */
  readonly at: string;
  /** The button that opens it, or the menu that has the item. */
  readonly button: string | RegExp;
  readonly item?: string;
}

/** What opens each dialog. Those that show a secret, or that the service asks for, follow upon another and are below. */
const OPENED: readonly Opened[] = [
  { of: 'frame/search.tsx', at: '/plans', button: 'Search' },
  { of: 'pages/orders/plan-dialog.tsx', at: '/orders', button: 'Choose a plan…' },
  { of: 'pages/plans/plan-dialogs.tsx', at: '/plans', button: 'Create a plan' },
  { of: 'pages/plans/plan-dialogs.tsx', at: '/plans', button: /^More for/, item: 'Edit' },
  { of: 'pages/plans/plan-dialogs.tsx', at: '/plans', button: /^More for/, item: 'Delete' },
  { of: 'pages/plans/team-dialog.tsx', at: '/plans', button: /^More for/, item: 'Team…' },
  { of: 'pages/plans/end-dialog.tsx', at: '/plans', button: /^More for/, item: 'When licenses end…' },
  { of: 'pages/plans/trial-dialog.tsx', at: '/plans', button: /^More for/, item: 'Trial…' },
  { of: 'pages/plans/trials.tsx', at: '/plans', button: /^More for the trial/, item: 'Forget…' },
  { of: 'pages/plans/products-dialog.tsx', at: '/plans', button: 'Edit products' },
  { of: 'pages/plans/processors.tsx', at: '/plans', button: 'Connect Paddle' },
  { of: 'pages/plans/sale-dialogs.tsx', at: '/plans?status=unmapped', button: 'Issue…' },
  { of: 'pages/plans/sale-dialogs.tsx', at: '/plans?status=unmapped', button: 'Issue for all…' },
  { of: 'pages/plans/unrelated.tsx', at: '/plans?status=unmapped', button: 'Not ours…' },
  { of: 'pages/licenses/issue-dialog.tsx', at: '/licenses', button: 'Issue a license' },
  { of: 'pages/licenses/issue-many-dialog.tsx', at: '/licenses', button: 'Issue many' },
  { of: 'pages/imports/import-page.tsx', at: '/imports/IMPORT', button: 'Delete' },
  { of: 'pages/licenses/bulk-dialog.tsx', at: '/licenses?status=active', button: 'More', item: 'Change all of these' },
  { of: 'pages/licenses/change-dialog.tsx', at: '/licenses/LICENSE', button: 'Change' },
  { of: 'pages/licenses/license-actions.tsx', at: '/licenses/LICENSE', button: 'Suspend' },
  { of: 'pages/licenses/license-actions.tsx', at: '/licenses/LICENSE', button: 'Replace the code' },
  { of: 'pages/licenses/license-actions.tsx', at: '/licenses/LICENSE', button: 'Revoke' },
  { of: 'pages/licenses/license-page.tsx', at: '/licenses/LICENSE', button: 'Free' },
  { of: 'pages/licenses/team-dialogs.tsx', at: '/licenses/LICENSE', button: 'Invite a person' },
  { of: 'pages/licenses/team-dialogs.tsx', at: '/licenses/LICENSE', button: 'Make a link' },
  { of: 'pages/licenses/team-dialogs.tsx', at: '/licenses/LICENSE', button: /^Mail a new code to/ },
  { of: 'pages/licenses/team-dialogs.tsx', at: '/licenses/LICENSE', button: /^Remove/ },
  { of: 'pages/reviews/answer-dialog.tsx', at: '/reviews', button: 'Answer…' },
  { of: 'pages/notifications/endpoint-form.tsx', at: '/notifications', button: 'Add endpoint' },
  { of: 'pages/notifications/endpoint-form.tsx', at: '/notifications', button: /^More for/, item: 'Edit' },
  { of: 'pages/notifications/test-dialog.tsx', at: '/notifications', button: /^More for/, item: 'Send an example…' },
  { of: 'pages/notifications/endpoints.tsx', at: '/notifications', button: /^More for/, item: 'Delete' },
  { of: 'pages/settings/credential-dialog.tsx', at: '/settings/credentials', button: 'Add a credential' },
  { of: 'pages/settings/credential-dialog.tsx', at: '/settings/credentials', button: /^Rotate/ },
  { of: 'pages/settings/removal.tsx', at: '/settings/credentials', button: /^Delete/ },
  { of: 'pages/settings/tokens-page.tsx', at: '/settings/tokens', button: 'New token' },
  { of: 'pages/settings/removal.tsx', at: '/settings/tokens', button: /^Revoke/ },
  { of: 'pages/settings/ci-page.tsx', at: '/settings/ci', button: 'Trust a repository' },
  { of: 'pages/settings/removal.tsx', at: '/settings/ci', button: /^Delete/ },
  { of: 'pages/settings/members-page.tsx', at: '/settings/members', button: 'Invite' },
  { of: 'pages/settings/members-page.tsx', at: '/settings/members', button: /^Change role of/ },
  { of: 'pages/settings/removal.tsx', at: '/settings/members', button: /^Remove/ },
  { of: 'pages/settings/members-page.tsx', at: '/settings/members', button: 'Leave this workspace' },
  { of: 'pages/settings/tenant-page.tsx', at: '/settings/tenant', button: 'Delete this workspace' },
  { of: 'pages/settings/second-factor.tsx', at: '/settings/account', button: 'Remove' },
  { of: 'pages/extension/promote.tsx', at: '/extensions/EXTENSION', button: 'Promote: Chrome' },
  { of: 'pages/extension/target-actions.tsx', at: '/extensions/EXTENSION', button: 'Check now: Chrome' },
  { of: 'pages/extension/target-actions.tsx', at: '/extensions/EXTENSION', button: 'Halt' },
  { of: 'rollout/steps.tsx', at: '/extensions/EXTENSION', button: 'Other…' },
  { of: 'pages/extension/target-actions.tsx', at: '/extensions/EXTENSION', button: 'Roll back' },
  { of: 'pages/extension/target-page.tsx', at: '/extensions/EXTENSION/targets/TARGET', button: 'Delete target' },
  { of: 'pages/extension/signing-key.tsx', at: '/extensions/EXTENSION/targets/TARGET', button: 'Delete key' },
  { of: 'pages/extension/add-target.tsx', at: '/extensions/EXTENSION', button: 'Add a target' },
  { of: 'pages/extension/settings-page.tsx', at: '/extensions/EXTENSION/settings', button: 'Delete extension' },
  { of: 'pages/extension/settings-page.tsx', at: '/extensions/EXTENSION/settings', button: 'Require approvals' },
  { of: 'pages/home/register.tsx', at: '/', button: 'Register an extension' },
  { of: 'pages/home/filter-bar.tsx', at: '/?q=e', button: 'Views', item: 'Save this view…' },
];
/** Those that follow upon another. */
const FOLLOWING = [
  'pages/extension/decision-dialogs.tsx',
  'pages/extension/finding-list.tsx',
  'pages/extension/rejection.tsx',
  'pages/extension/signing-key.tsx',
  'pages/licenses/issued.tsx',
  'pages/licenses/new-code.tsx',
  'pages/licenses/delete-license.tsx',
  'pages/notifications/attempts.tsx',
  'ui/unsaved.tsx',
  'frame/second-factor-dialog.tsx',
  'frame/session-ended-dialog.tsx',
];

const PAGES = [...new Set(OPENED.map(({ at }) => at))];

inChromium('the dialogs', () => {
  let desk: Desk;
  let author: Author;
  let licenseId: string;
  let importId: string;
  let secret: string;
  let page: Page;
  let keys: Keyboard;

  const code = () => generate({ secret, epoch: Math.floor(desk.world.clock.now().getTime() / SECOND) });

  beforeAll(async () => {
    desk = await Desk.open();
    const { world } = desk;
    author = await Author.in(world, { weeklyUsers: 50_000 });
    for (const version of ['1.0.0', '1.1.0']) {
      await author.push(version);
      if (version === '1.1.0') await author.set({ rolloutPercent: 10 });
      await author.reconcile();
      await author.act('approve');
      await author.reconcile();
    }
    const { extensionId, cookie } = author.mine;
    const sold = await world.given.licensed({ extensionId }, author.mine);
    licenseId = sold.licenseId;
    const device = {
      code: sold.code,
      extensionId,
      fingerprint: 'a browser',
      deviceInfo: { label: 'Chrome on Windows' },
    };
    expectStatus(await world.api.post('/licensing/activate', device), 200);
    await world.given.member(author.mine, 'viewer');
    const api = world.api.as(author.mine);
    expectStatus(await api.patch(`/licenses/${licenseId}`, { maxMembers: 3, campaign: 'spring' }), 200);
    expectStatus(await api.post(`/licenses/${licenseId}/members`, { email: 'ann@team.example' }), 201);
    expectStatus(await api.post('/notifications/endpoints', { kind: 'webhook', url: PLACE, events: ['live'] }), 201);
    expectStatus(await api.patch(`/plans/${sold.planId}`, { trialDays: 14 }), 200);
    expectStatus(await world.api.post('/licensing/trial', { extensionId, fingerprint: 'another browser' }), 200);
    const csv = { raw: 'Mail;Kind', headers: { 'content-type': 'text/csv' } };
    const sent = await api.post(`/license-imports?extension=${extensionId}`, undefined, csv);
    importId = expectStatus(sent, 201).body.id;
    const seller = await Seller.of(world, 'stripe', author.mine, extensionId, { products: [] });
    await seller.sendAll(oneOffSale('stripe', seller.sale()));
    const rule = { name: 'Releases', repository: 'acme/owl', ref: 'refs/tags/v*', scopes: ['artifacts:write'] };
    const session = world.api.as({ cookie });
    expectStatus(await session.post('/ci/trust-rules', { ...rule, extensionIds: null }), 201);
    const key = `/extensions/${extensionId}/targets/${author.mine.targetId}/signing-key`;
    expectStatus(await session.post(key, {}), 201);
    secret = expectStatus(await session.post('/auth/second-factor', { password: author.mine.password }), 201).body
      .secret;
    expectStatus(await session.post('/auth/second-factor/confirm', { code: await code() }), 200);
    await reviewedAtAppStore(world, author.mine);
    page = await desk.visit({ as: author.mine });
    keys = new Keyboard(page);
  });
  afterAll(() => desk.close());

  const open = async (at: string): Promise<void> => {
    const { extensionId, targetId } = author.mine;
    const path = at
      .replace('EXTENSION', extensionId)
      .replace('TARGET', targetId)
      .replace('LICENSE', licenseId)
      .replace('IMPORT', importId);
    await page.goto(path);
    await desk.settled(page);
  };
  const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));

  it('are all looked at here', async () => {
    const files = (await readdir(ROOT, { recursive: true })).filter((file) => file.endsWith('.tsx'));
    const having: string[] = [];
    for (const file of files)
      if (/<(Dialog|ConfirmByName|MustAnswer|PlanForm)\b/.test(await readFile(join(ROOT, file), 'utf8')))
        having.push(file);
    const looked = new Set(['ui/dialog.tsx', 'pages/plans/plan-form.tsx', ...FOLLOWING, ...OPENED.map(({ of }) => of)]);
    expect(having.toSorted()).toEqual([...looked].toSorted());
  });

  it.each(PAGES)(
    'of %s open and close by keyboard, hinder nobody, are within the screen, and give the focus back',
    async (at) => {
      await open(at);
      const wide: string[] = [];
      for (const { button, item } of OPENED.filter((one) => one.at === at)) {
        const opener = page.getByRole('button', { name: button, exact: true }).first();
        if (item === undefined) await keys.press(opener);
        else await keys.choose(opener, item);
        await dialog().waitFor();
        await dialog().locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        await desk.lookAtDialog(page, `dialog ${String(button).replaceAll(/\W/g, '')} ${item ?? ''}`);
        wide.push(...(await beyondAt(page)).map((one) => `${String(button)} ${item ?? ''} ${one}`));
        await page.keyboard.press('Escape');
        await dialog().waitFor({ state: 'detached' });
        await keys.at(opener);
      }
      expect(wide).toEqual([]);
    },
  );
});
