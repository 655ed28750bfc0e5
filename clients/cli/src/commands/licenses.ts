import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { chooseDevice, changeLicense, freeSeat, mailNewCode, rotateCode } from '../licensing/change.js';
import { findLicense, listLicenses, readLicense, searchLicenses, type License } from '../licensing/licenses.js';
import { hintOf, licenseTable, nameOf } from '../licensing/line.js';
import { choosePlan, issueLicense, plansOf } from '../licensing/plans.js';
import { ENTITLEMENTS, METADATA } from '../licensing/entitlements.js';
import { findExtension } from '../publishing/extensions.js';
import { confirmed } from '../terminal/confirmed.js';
import { withExamples } from './example.js';
import { extendCommand, updateCommand } from './license-update.js';
import { membersCommand } from './license-members.js';
import { issueManyCommand } from './license-batch.js';
import { exportCommand, importCommand } from './license-files.js';
import {
  CAMPAIGN,
  DEVICES,
  EXPIRES,
  narrowingOf,
  OF_CAMPAIGN,
  OF_EXTENSION,
  termsOf,
  withStatus,
  type NarrowingOptions,
  type TermsOptions,
} from './license-options.js';
import { EXTENSION } from './options.js';

const LICENSE = 'mail address of the buyer, code or its last five symbols, purchase, or id';

interface OfExtension {
  readonly extension?: string;
  readonly plan?: string;
}

/** Licenses: what support does with them all day. */
export const licensesCommand = (): Command =>
  [
    find,
    show,
    issue,
    issueManyCommand,
    update,
    extend,
    members,
    suspend,
    reinstate,
    revoke,
    rotate,
    free,
    importCommand,
    exportCommand,
  ].reduce(
    (group, subcommand) => group.addCommand(subcommand()),
    withExamples(
      new Command('licenses').description('Find, issue and change licenses, and the devices that use them.'),
      'pierhead licenses find ann@example.com',
      'pierhead licenses issue ann@example.com --plan pro',
    ),
  );

const find = (): Command =>
  withExamples(
    new Command('find')
      .description('Find licenses.')
      .argument('[license]', `${LICENSE} (default: all)`)
      .option(...OF_EXTENSION)
      .addOption(withStatus())
      .option(...OF_CAMPAIGN)
      .action(action(findAll)),
    'pierhead licenses find ann@example.com',
    'pierhead licenses find 4F7QK',
    'pierhead licenses find --status suspended --json',
  );

async function findAll(context: Context, text: string | undefined, options: NarrowingOptions): Promise<void> {
  const service = await context.service();
  const narrowing = await narrowingOf(context, service, options);
  const items =
    text === undefined ? await listLicenses(service, narrowing) : await searchLicenses(service, text, narrowing);
  context.terminal.result({ items }, () =>
    items.length === 0 ? 'No license was found.' : licenseTable(items, context.terminal.style, new Date()),
  );
}

const show = (): Command =>
  withExamples(
    new Command('show')
      .description('Show a license with its devices, its purchase, and whether its code was mailed.')
      .argument('<license>', LICENSE)
      .action(action(showOne)),
    'pierhead licenses show 4F7QK',
  );

async function showOne(context: Context, text: string): Promise<void> {
  const service = await context.service();
  const license = await readLicense(service, (await findLicense(service, text)).id);
  const { name } = await findExtension(service, license.extensionId, await context.project());
  const { licenseDetails } = await import('../licensing/details.js');
  context.terminal.result({ ...license, extension: name }, () =>
    licenseDetails(license, name, context.terminal.style, new Date()),
  );
}

const issue = (): Command =>
  withExamples(
    new Command('issue')
      .description('Issue a license, and print its code. Nothing shows the code again.')
      .argument('<email>', 'mail address of the buyer')
      .option(...EXTENSION)
      .option('-p, --plan <tier>', 'tier or id of the plan (default: the only one)')
      .option(...EXPIRES)
      .option(...DEVICES)
      .option(...CAMPAIGN)
      .option(...ENTITLEMENTS)
      .option(...METADATA)
      .action(action(issueOne)),
    'pierhead licenses issue ann@example.com --plan pro --expires 365d',
  );

async function issueOne(context: Context, buyerEmail: string, options: OfExtension & TermsOptions): Promise<void> {
  const terms = termsOf(options);
  const service = await context.service();
  const { extension, plans } = await plansOf(context, service, options);
  const plan = choosePlan(plans, options.plan);
  const issued = await issueLicense(service, { planId: plan.id, buyerEmail, ...terms });
  context.terminal.note(
    `Issued a license of ${extension.name} (${plan.tier}) to ${issued.buyerEmail ?? buyerEmail}. Its code:`,
  );
  context.terminal.result(issued, ({ code }) => code);
}

const update = (): Command => updateCommand(LICENSE);
const extend = (): Command => extendCommand(LICENSE);
const members = (): Command => membersCommand(LICENSE);

const changing = (name: 'suspend' | 'reinstate', description: string, done: string): Command =>
  withExamples(
    new Command(name)
      .description(description)
      .argument('<license>', LICENSE)
      .action(
        action(async (context: Context, text: string) => {
          const service = await context.service();
          const { id } = await findLicense(service, text);
          changed(context, await changeLicense(service, id, name), done);
        }),
      ),
    `pierhead licenses ${name} 4F7QK`,
  );

const suspend = (): Command =>
  changing('suspend', 'Suspend a license: its devices are refused until it is reinstated.', 'is suspended');
const reinstate = (): Command =>
  changing(
    'reinstate',
    'Reinstate a license that was suspended, or revoked by a refund or a dispute.',
    'is reinstated',
  );

const changed = (context: Context, license: License, done: string): void =>
  context.terminal.result(license, () => `${nameOf(license)} ${done}.`);

interface RevokeOptions {
  readonly yes?: true;
}

const revoke = (): Command =>
  withExamples(
    new Command('revoke')
      .description('Revoke a license permanently. Its devices are refused, and it cannot be reinstated.')
      .argument('<license>', LICENSE)
      .option('-y, --yes', 'revoke without confirming by the last five symbols')
      .action(action(revokeOne)),
    'pierhead licenses revoke 4F7QK',
  );

async function revokeOne(context: Context, text: string, { yes }: RevokeOptions): Promise<void> {
  const service = await context.service();
  const license = await findLicense(service, text);
  const { codeHint, tier, seats } = license;
  const devices = seats.used === 0 ? 'No device uses it.' : `Its ${seats.used} devices are refused from then on.`;
  const what = `This revokes ${nameOf(license)} (${tier}) for good. ${devices}`;
  if (!yes) await confirmed(context, { what, name: codeHint, called: 'the last five symbols of the code' });
  changed(context, await changeLicense(service, license.id, 'revoke'), 'is revoked');
}

const rotate = (): Command =>
  withExamples(
    new Command('rotate')
      .description('Replace the code of a license, and print the new one. Devices keep their seats.')
      .argument('<license>', LICENSE)
      .option('--mail', 'mail the new code to the buyer instead of printing it')
      .action(action(rotateOne)),
    'pierhead licenses rotate 4F7QK',
    'pierhead licenses rotate ann@example.com --mail',
  );

async function rotateOne(context: Context, text: string, { mail }: { readonly mail?: true }): Promise<void> {
  const service = await context.service();
  const license = await findLicense(service, text);
  if (mail) {
    const renewed = await mailNewCode(service, license.id);
    context.terminal.result(
      renewed,
      () =>
        `${hintOf(renewed)} replaces ${hintOf(license)}, and is being mailed to ${renewed.buyerEmail ?? 'the buyer'}.`,
    );
    return;
  }
  const rotated = await rotateCode(service, license.id);
  context.terminal.note(`${nameOf(license)} no longer works. The new code:`);
  context.terminal.result(rotated, ({ code }) => code);
}

const free = (): Command =>
  withExamples(
    new Command('free-seat')
      .description('Free the seat of a device for another one.')
      .argument('<license>', LICENSE)
      .argument('[device]', 'name or id of the device (default: the only one)')
      .action(action(freeOne)),
    'pierhead licenses free-seat 4F7QK "Firefox on Linux"',
  );

async function freeOne(context: Context, text: string, wanted: string | undefined): Promise<void> {
  const service = await context.service();
  const license = await readLicense(service, (await findLicense(service, text)).id);
  const [only, ...others] = license.devices;
  if (wanted === undefined && others.length > 0)
    throw usageFailure(
      `${hintOf(license)} has several devices. Name one of them.`,
      'pierhead licenses show lists them.',
    );
  const device = chooseDevice(license.devices, wanted ?? only?.id ?? '');
  await freeSeat(service, license.id, device.id);
  const { seats: left } = await readLicense(service, license.id);
  context.terminal.result(
    { released: true, seats: left, device },
    ({ seats }) => `Freed ${device.label ?? device.id}: ${seats.used} of ${seats.max} in use.`,
  );
}
