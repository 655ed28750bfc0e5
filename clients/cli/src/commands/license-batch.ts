import { Command } from 'commander';
import { lazyAction } from '../context.js';
import { ENTITLEMENTS, METADATA } from '../licensing/entitlements.js';
import { withExamples } from './example.js';
import { CAMPAIGN, DEVICES, EXPIRES } from './license-options.js';
import { EXTENSION } from './options.js';

/** Issues many licenses at once. */
export const issueManyCommand = (): Command =>
  withExamples(
    new Command('issue-many')
      .description('Issue up to 5,000 licenses, and print their codes or gift links as CSV, or mail the codes.')
      .option('--count <number>', 'this many, which nobody owns yet')
      .option('--emails <file>', 'one for each address of this file, one on each line; - is standard input')
      .option(...EXTENSION)
      .option('-p, --plan <tier>', 'tier or id of the plan (default: the only one)')
      .option(...CAMPAIGN)
      .option(...EXPIRES)
      .option(...DEVICES)
      .option(...ENTITLEMENTS)
      .option(...METADATA)
      .option('--mail', 'mail each code to its address instead of printing it')
      .option('--gift', 'print links instead, each of which gives its code once')
      .option('--gift-expires <day>', 'the last day of the links (default: as long as the license)')
      .option('-o, --out <file>', 'write to this new file, which only you can read')
      .option('-y, --yes', 'mail without confirmation')
      .action(lazyAction(async () => (await import('./issue-many.js')).issueMany)),
    'pierhead licenses issue-many --count 500 --plan pro --campaign spring --out codes.csv',
    'pierhead licenses issue-many --emails addresses.txt --campaign spring --mail',
  );
