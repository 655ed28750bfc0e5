import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { codesCsv, faultsOf, importLicenses, type LicenseImport } from '../licensing/import.js';
import { intoPrivateFile } from '../licensing/private-file.js';
import { findExtension } from '../publishing/extensions.js';
import { withExamples } from './example.js';
import { narrowingOf, OF_CAMPAIGN, OF_EXTENSION, withStatus, type NarrowingOptions } from './license-options.js';
import { EXTENSION } from './options.js';

/** Brings licenses from another tool. */
export const importCommand = (): Command =>
  withExamples(
    new Command('import')
      .description(
        'Import licenses of another tool from CSV. Shows what it would do, and asks for confirmation. Running it again changes nothing.',
      )
      .argument('[file]', 'CSV with the columns email and tier, and code or order; - is standard input', '-')
      .option(...EXTENSION)
      .option('--dry-run', 'only show what it would do')
      .option('-y, --yes', 'import without confirmation')
      .option('-o, --out <file>', 'write the codes that are made to this new file, which only you can read')
      .action(action(importFile)),
    'pierhead licenses import sold.csv --dry-run',
    'pierhead licenses import sold.csv --out codes.csv',
  );

interface ImportOptions {
  readonly extension?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly out?: string;
}

async function importFile(context: Context, file: string, options: ImportOptions): Promise<void> {
  const csv = await context.text(file);
  const service = await context.service();
  const extension = await findExtension(service, options.extension, await context.project());
  const send = (dryRun: boolean): Promise<LicenseImport> =>
    importLicenses(service, { extension: extension.id, csv, dryRun });
  const preview = await send(true);
  const faults = faultsOf(preview);
  if (faults !== null) throw faults;
  const { created, existing } = preview;
  const what = `${created} of ${preview.lines.length} to import to ${extension.name}. ${existing} already exist.`;
  if (options.dryRun || created === 0) {
    context.terminal.result(preview, () => what);
    return;
  }
  context.terminal.note(what);
  if (!options.yes && !(await context.ask.confirm('Import them?', '--yes'))) throw new Failure('Nothing was changed.');
  await importTo(context, options.out, () => send(false));
}

/** Imports, and prints the codes that were made or keeps them in a file. */
async function importTo(
  { terminal }: Context,
  file: string | undefined,
  send: () => Promise<LicenseImport>,
): Promise<void> {
  const made = await (file === undefined ? send() : intoPrivateFile(file, send, codesCsv));
  terminal.note(`Imported ${made.created}. ${made.existing} already existed.`);
  if (file === undefined) terminal.result(made, () => codesCsv(made).trimEnd());
  else {
    terminal.note(
      codesCsv(made) === ''
        ? 'No codes were created: the buyers already have theirs.'
        : `The new codes are in ${file}.`,
    );
    terminal.result({ ...made, lines: made.lines.map((line) => ({ ...line, code: null })) }, () => '');
  }
  const faults = faultsOf(made);
  if (faults !== null) throw faults;
}

/** Takes licenses to a spreadsheet. */
export const exportCommand = (): Command =>
  withExamples(
    new Command('export')
      .description('Export licenses as CSV, newest first. Codes are not kept, so none are in it.')
      .option(...OF_EXTENSION)
      .addOption(withStatus())
      .option(...OF_CAMPAIGN)
      .option('-o, --out <file>', 'write to this new file, which only you can read')
      .action(action(exportAll)),
    'pierhead licenses export --out licenses.csv',
    'pierhead licenses export --status active > active.csv',
  );

async function exportAll(
  context: Context,
  { out, ...options }: NarrowingOptions & { readonly out?: string },
): Promise<void> {
  const { terminal } = context;
  if (terminal.json) throw usageFailure('An export is always CSV.', 'For JSON: pierhead licenses find --json');
  const service = await context.service();
  const query = await narrowingOf(context, service, options);
  const read = (): Promise<string> =>
    answer(service.client.GET('/api/v1/licenses/export', { params: { query }, parseAs: 'text' }));
  if (out === undefined) terminal.result(await read(), (csv) => csv.trimEnd());
  else {
    await intoPrivateFile(out, read, (csv) => csv);
    terminal.note(`Exported to ${out}.`);
  }
}
