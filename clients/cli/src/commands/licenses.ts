import { Command } from 'commander';
import { lazyAction } from '../context.js';
import { ENTITLEMENTS, METADATA } from '../licensing/entitlements.js';
import { withExamples } from './example.js';
import { extendCommand, updateCommand } from './license-update.js';
import { licenseListCommand } from './license-list.js';
import { membersCommand } from './license-members.js';
import { issueManyCommand } from './license-batch.js';
import { exportCommand, importCommand } from './license-files.js';
import { CAMPAIGN, DEVICES, EXPIRES, OF_CAMPAIGN, OF_EXTENSION, withStatus } from './license-options.js';
import { EXTENSION } from './options.js';

const LICENSE = 'mail address of the buyer, code or its last five symbols, purchase, or id';

/** Licenses: what support does with them all day. */
export const licensesCommand = (): Command =>
  [
    licenseListCommand,
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
      'pierhead licenses list --status suspended',
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
      .action(lazyAction(async () => (await import('./license-actions.js')).findAll)),
    'pierhead licenses find ann@example.com',
    'pierhead licenses find 4F7QK',
    'pierhead licenses find --status suspended --json',
  );

const show = (): Command =>
  withExamples(
    new Command('show')
      .description('Show a license with its devices, its purchase, and whether its code was mailed.')
      .argument('<license>', LICENSE)
      .action(lazyAction(async () => (await import('./license-actions.js')).showOne)),
    'pierhead licenses show 4F7QK',
  );

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
      .action(lazyAction(async () => (await import('./license-actions.js')).issueOne)),
    'pierhead licenses issue ann@example.com --plan pro --expires 365d',
  );

const update = (): Command => updateCommand(LICENSE);
const extend = (): Command => extendCommand(LICENSE);
const members = (): Command => membersCommand(LICENSE);

const changing = (name: 'suspend' | 'reinstate', description: string, done: string): Command =>
  withExamples(
    new Command(name)
      .description(description)
      .argument('<license>', LICENSE)
      .action(lazyAction(async () => (await import('./license-actions.js')).changing(name, done))),
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

const revoke = (): Command =>
  withExamples(
    new Command('revoke')
      .description('Revoke a license permanently. Its devices are refused, and it cannot be reinstated.')
      .argument('<license>', LICENSE)
      .option('-y, --yes', 'revoke without confirming by the last five symbols')
      .action(lazyAction(async () => (await import('./license-actions.js')).revokeOne)),
    'pierhead licenses revoke 4F7QK',
  );

const rotate = (): Command =>
  withExamples(
    new Command('rotate')
      .description('Replace the code of a license, and print the new one. Devices keep their seats.')
      .argument('<license>', LICENSE)
      .option('--mail', 'mail the new code to the buyer instead of printing it')
      .action(lazyAction(async () => (await import('./license-actions.js')).rotateOne)),
    'pierhead licenses rotate 4F7QK',
    'pierhead licenses rotate ann@example.com --mail',
  );

const free = (): Command =>
  withExamples(
    new Command('free-seat')
      .description('Free the seat of a device for another one.')
      .argument('<license>', LICENSE)
      .argument('[device]', 'name or id of the device (default: the only one)')
      .action(lazyAction(async () => (await import('./license-actions.js')).freeOne)),
    'pierhead licenses free-seat 4F7QK "Firefox on Linux"',
  );
