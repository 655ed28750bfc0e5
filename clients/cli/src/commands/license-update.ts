import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { updateLicense } from '../licensing/change.js';
import { devicesOf } from '../licensing/devices.js';
import { ENTITLEMENTS, entitlementsOf, METADATA, type EntitlementOptions } from '../licensing/entitlements.js';
import { expiryOf } from '../licensing/expiry.js';
import { findLicense } from '../licensing/licenses.js';
import { hintOf } from '../licensing/line.js';
import { withExamples } from './example.js';

interface Changes extends EntitlementOptions {
  readonly expires?: string;
  readonly devices?: string;
  readonly email?: string;
}

/** Changes a license. @param described how a license is named */
export const updateCommand = (described: string): Command =>
  withExamples(
    new Command('update')
      .description('Change when a license expires, its devices, features, address or your own data.')
      .argument('<license>', described)
      .option('--expires <day>', 'the last day, such as 2027-12-31, a number of days, such as 90d, or never')
      .option('--devices <count>', 'how many devices may use it, or plan for as many as its plan allows')
      .option(...ENTITLEMENTS)
      .option(...METADATA)
      .option('--email <address>', 'new mail address of the buyer')
      .action(action(update)),
    'pierhead licenses update 4F7QK --expires 365d',
    'pierhead licenses update ann@example.com --entitlements export,sync',
  );

async function update(context: Context, text: string, options: Changes): Promise<void> {
  const { expires, devices, email } = options;
  const changes = {
    ...(expires === undefined ? {} : { expiresAt: expires === 'never' ? null : expiryOf(expires, new Date()) }),
    ...(devices === undefined ? {} : { maxActivations: devices === 'plan' ? null : devicesOf(devices) }),
    ...(email === undefined ? {} : { buyerEmail: email }),
    ...entitlementsOf(options),
  };
  if (Object.keys(changes).length === 0)
    throw usageFailure('Name something to change.', 'pierhead licenses update --help lists what there is.');
  const service = await context.service();
  const { id } = await findLicense(service, text);
  const updated = await updateLicense(service, id, changes);
  context.terminal.result(updated, () => `Changed ${hintOf(updated)} of ${updated.buyerEmail}.`);
}
