import { Command } from 'commander';
import { lazyAction } from '../context.js';
import { ENTITLEMENTS, METADATA } from '../licensing/entitlements.js';
import { TEAM_OPTIONS } from '../licensing/team.js';
import { withExamples } from './example.js';

const [MEMBERS, PER_MEMBER] = TEAM_OPTIONS;

/** Changes a license. @param described how a license is named */
export const updateCommand = (described: string): Command =>
  withExamples(
    new Command('update')
      .description('Change the plan of a license, when it expires, its devices, features, address or your own data.')
      .argument('<license>', described)
      .option('-p, --plan <tier>', 'tier or id of another plan of its extension')
      .option('--expires <day>', 'the last day, such as 2027-12-31, a number of days, such as 90d, or never')
      .option('--devices <count>', 'how many devices may use it, or plan for as many as its plan allows')
      .option(...MEMBERS)
      .option(...PER_MEMBER)
      .option(...ENTITLEMENTS)
      .option(...METADATA)
      .option('--email <address>', 'new mail address of the buyer')
      .option('--campaign <name>', 'another campaign; "" for none')
      .action(lazyAction(async () => (await import('./license-changes.js')).update)),
    'pierhead licenses update 4F7QK --expires 365d',
    'pierhead licenses update ann@example.com --entitlements export,sync',
  );

/** Extends a license. @param described how a license is named */
export const extendCommand = (described: string): Command =>
  withExamples(
    new Command('extend')
      .description('Extend a license by a term after it expires, or after now if it has expired.')
      .argument('<license>', described)
      .argument('<term>', 'days, months or years, such as 30d, 1m or 1y')
      .action(lazyAction(async () => (await import('./license-changes.js')).extend)),
    'pierhead licenses extend 4F7QK 1y',
  );
