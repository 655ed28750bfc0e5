import { Command, Option } from 'commander';
import { lazyAction } from '../context.js';
import { withExamples } from './example.js';
import { limitOf, OF_CAMPAIGN, OF_EXTENSION, withStatus } from './license-options.js';

const LIMIT = 30;

/** Lists licenses. */
export const licenseListCommand = (): Command =>
  withExamples(
    new Command('list')
      .description('List licenses, newest first.')
      .option(...OF_EXTENSION)
      .addOption(withStatus())
      .option(...OF_CAMPAIGN)
      .option('--buyer <email>', "only those with this buyer's mail address")
      .option('--order <id>', 'only those of this purchase, by its id at the processor')
      .addOption(
        new Option('--mode <mode>', "only those sold in the processor's test mode, or the others").choices([
          'live',
          'test',
        ]),
      )
      .option('-L, --limit <count>', 'how many to list at most', limitOf, LIMIT)
      .option('--all', 'list all of them')
      .action(lazyAction(async () => (await import('./license-actions.js')).listAll)),
    'pierhead licenses list --status suspended --limit 100',
    'pierhead licenses list --campaign spring --all --json',
  );
