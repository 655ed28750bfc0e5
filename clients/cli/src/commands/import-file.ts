import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { Failure } from '../failure.js';
import {
  codesOf,
  faultsOf,
  type FileImport,
  forgetImport,
  hasBegun,
  openImport,
  readingOf,
  type ReadingOptions,
  sayReading,
  settled,
  startImport,
  unreadFailure,
} from '../licensing/import.js';
import { intoPrivateFile } from '../licensing/private-file.js';
import { findExtension } from '../publishing/extensions.js';

/** The options of an import. */
interface ImportOptions extends ReadingOptions {
  readonly extension?: string;
  readonly skipFaults?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly out?: string;
}

/** Shows what an import would do, and does it once that is confirmed. */
export async function importFile(context: Context, file: string, options: ImportOptions): Promise<void> {
  const { terminal } = context;
  const said = readingOf(options);
  const csv = await context.bytes(file);
  const service = await context.service();
  const extension = await findExtension(service, options.extension, await context.project());
  const preview = await previewed(context, service, await openImport(service, extension.id, csv), said);
  if (hasBegun(preview)) {
    const already = `Its import ${preview.state === 'running' ? 'is running' : 'was carried out'} already.`;
    if (options.dryRun) return terminal.result(preview, () => already);
    terminal.note(already);
    return importTo(context, service, options.out, preview);
  }
  const refused = unreadFailure(preview) ?? (options.skipFaults ? null : faultsOf(preview));
  const { created, existing, lines, skipped, notes } = preview;
  const what = `${created} of ${lines} to import to ${extension.name}. ${existing} already exist.${skipped === 0 ? '' : ` ${skipped} are left out.`}`;
  if (refused !== null || options.dryRun || created === 0) {
    await forgetImport(service, preview.id);
    if (refused !== null) throw refused;
    terminal.result(preview, () => [what, ...notes].join('\n'));
    return;
  }
  for (const line of [what, ...notes]) terminal.note(line);
  if (!options.yes && !(await confirmedOrForgotten(context, service, preview)))
    throw new Failure('Nothing was changed.');
  await importTo(context, service, options.out, preview);
}

/** Asks, and deletes the file where the answer is no, or nobody can answer. */
async function confirmedOrForgotten(context: Context, service: Service, { id }: FileImport): Promise<boolean> {
  let isConfirmed = false;
  try {
    isConfirmed = await context.ask.confirm('Import them?', '--yes');
    return isConfirmed;
  } finally {
    if (!isConfirmed) await forgetImport(service, id);
  }
}

/** Waits until the service has read the file with the given mapping. */
async function previewed(
  { terminal, surroundings: { signal } }: Context,
  service: Service,
  open: FileImport,
  said: ReturnType<typeof readingOf>,
): Promise<FileImport> {
  const reading =
    hasBegun(open) || (said === null && open.state === 'checking')
      ? open
      : await sayReading(service, open.id, said ?? {});
  if (hasBegun(reading)) return reading;
  return settled(service, reading, signal, progressOf(terminal, 'Read'));
}

/** Tells how far it is at each tenth of a large file. */
function progressOf(terminal: Context['terminal'], done: string): (now: FileImport) => void {
  let told = 0;
  return ({ done: lines, lines: all }) => {
    const tenth = all < 10_000 ? 0 : Math.floor((10 * lines) / all);
    if (tenth > told) terminal.note(`${done} ${lines} of ${all} lines.`);
    told = Math.max(told, tenth);
  };
}

/** Imports, and prints the codes that were made or keeps them in a file. */
async function importTo(
  context: Context,
  service: Service,
  file: string | undefined,
  ready: FileImport,
): Promise<void> {
  const { terminal, surroundings } = context;
  const work = async (): Promise<{ readonly made: FileImport; readonly codes: string }> => {
    const begun = hasBegun(ready) ? ready : await startImport(service, ready.id, true);
    const made = await settled(service, begun, surroundings.signal, progressOf(terminal, 'Imported'));
    if (made.state !== 'done')
      throw new Failure(`The import was ${made.state}.`, { hint: 'Run it again to continue.' });
    return { made, codes: await codesOf(service, made) };
  };
  const { made, codes } = await (file === undefined
    ? work()
    : intoPrivateFile(surroundings, file, work, (done) => done.codes));
  terminal.note(`Imported ${made.created}. ${made.existing} already existed.`);
  if (file !== undefined)
    terminal.note(
      codes === '' ? 'No codes were created: the buyers already have theirs.' : `The new codes are in ${file}.`,
    );
  terminal.data(file === undefined ? { ...made, issued: codes } : made, () =>
    file === undefined ? codes.trimEnd() : '',
  );
  await forgetImport(service, made.id);
  const faults = faultsOf(made);
  if (faults !== null) throw faults;
}
