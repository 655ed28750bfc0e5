import { answer } from '../api/service.js';
import type { Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { intoPrivateFile } from '../licensing/private-file.js';
import { narrowingOf, type NarrowingOptions } from './license-options.js';

/** The options of an export. */
interface ExportOptions extends NarrowingOptions {
  readonly out?: string;
}

/** Writes licenses as CSV. */
export async function exportAll(context: Context, { out, ...options }: ExportOptions): Promise<void> {
  const { terminal } = context;
  if (terminal.json) throw usageFailure('An export is always CSV.', 'For JSON: pierhead licenses list --all --json');
  const service = await context.service();
  const query = await narrowingOf(context, service, options);
  const read = (): Promise<string> =>
    answer(service.client.GET('/api/v1/licenses/export', { params: { query }, parseAs: 'text' }));
  if (out === undefined) terminal.data(await read(), (csv) => csv.trimEnd());
  else {
    await intoPrivateFile(context.surroundings, out, read, (csv) => csv);
    terminal.note(`Exported to ${out}.`);
  }
}
