import { Command } from 'commander';
import { lazyAction } from '../context.js';
import { withExamples } from './example.js';

/** The people of a team's license. @param described how a license is named */
export const membersCommand = (described: string): Command =>
  withExamples(
    new Command('members')
      .description('List the people who use a license besides its buyer, invite some, or remove some.')
      .argument('<license>', described)
      .option('--add <address...>', 'invite people: each gets a code of their own by mail')
      .option('--link', 'make a link by which people join for seven days; it ends the one that was made before')
      .option('--remove <address...>', 'remove people: their codes and devices stop working')
      .action(lazyAction(async () => (await import('./members.js')).members)),
    'pierhead licenses members 4F7QK --add ann@example.com bob@example.com',
  );
