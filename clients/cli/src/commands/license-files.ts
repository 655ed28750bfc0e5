import { Command, Option } from 'commander';
import { lazyAction } from '../context.js';
import { withExamples } from './example.js';
import { OF_CAMPAIGN, OF_EXTENSION, withStatus } from './license-options.js';
import { EXTENSION } from './options.js';

const PROFILES = ['lemonsqueezy', 'keygen', 'polar', 'gumroad', 'pierhead'];

/** Brings licenses from another tool. */
export const importCommand = (): Command =>
  withExamples(
    new Command('import')
      .description(
        'Import licenses from the export of another tool. Shows what it would do, and asks for confirmation. Running it again continues, and changes nothing that is done.',
      )
      .argument(
        '[file]',
        'CSV of Lemon Squeezy, Keygen, Polar, Gumroad or Pierhead, or any other; - is standard input',
        '-',
      )
      .option(...EXTENSION)
      .addOption(
        new Option('--profile <tool>', 'the tool that made the file (default: by its columns)').choices(PROFILES),
      )
      .option('--map <column=field...>', 'what a column holds, such as "Mail=email"')
      .option(
        '--tier <product=tier...>',
        'the tier of a product; - leaves its lines out, a tier alone is that of all others',
      )
      .option('--status <word=status...>', 'what a status comes to, such as "Frozen=suspended"')
      .option('--skip-faults', 'import the other lines although some have faults')
      .option('--dry-run', 'only show what it would do')
      .option('-y, --yes', 'import without confirmation')
      .option('-o, --out <file>', 'write the codes that are made to this new file, which only you can read')
      .action(lazyAction(async () => (await import('./import-file.js')).importFile)),
    'pierhead licenses import sold.csv --dry-run',
    'pierhead licenses import sales.csv --tier "Tab Counter / (Pro)=pro" --tier "E-book=-" --out codes.csv',
  );

/** Takes licenses to a spreadsheet. */
export const exportCommand = (): Command =>
  withExamples(
    new Command('export')
      .description('Export licenses as CSV, newest first. Codes are not kept, so none are in it.')
      .option(...OF_EXTENSION)
      .addOption(withStatus())
      .option(...OF_CAMPAIGN)
      .option('-o, --out <file>', 'write to this new file, which only you can read')
      .action(lazyAction(async () => (await import('./export-file.js')).exportAll)),
    'pierhead licenses export --out licenses.csv',
    'pierhead licenses export --status active > active.csv',
  );
