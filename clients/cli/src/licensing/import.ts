import { answer, type Schema, type Service } from '../api/service.js';
import { EXIT, Failure } from '../failure.js';

export type LicenseImport = Schema<'LicenseImport'>;

/** Sends the CSV of an extension's licenses. Only a dry run is repeated automatically: an import answers the codes that it makes once. */
export const importLicenses = (
  service: Service,
  { extension, csv, dryRun }: { readonly extension: string; readonly csv: string; readonly dryRun: boolean },
): Promise<LicenseImport> =>
  answer(
    service.client.POST('/api/v1/licenses/import', {
      params: { query: { extension, dryRun } },
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: csv,
      bodySerializer: (body) => body,
      ...(dryRun ? { fetch: service.repeatedly } : {}),
    }),
  );

/** Finds faults of the lines. Pure. @returns null when there are none */
export function faultsOf({ faults, lines, dryRun }: LicenseImport): Failure | null {
  if (faults === 0) return null;
  return new Failure(
    `${faults} of ${lines.length} lines cannot be imported. ${dryRun ? 'Nothing was changed.' : 'The others were.'}`,
    {
      exitCode: dryRun ? EXIT.usage : EXIT.failed,
      errors: lines.flatMap(({ line, message }) => (message === null ? [] : [{ field: `line ${line}`, message }])),
    },
  );
}

/** The codes that were made, which nothing answers again, as CSV; empty when none were. Pure. */
export function codesCsv({ lines }: LicenseImport): string {
  const rows = lines.flatMap(({ email, code }) => (code === null ? [] : [`${cellOf(email ?? '')},${code}`]));
  return rows.length === 0 ? '' : ['email,code', ...rows, ''].join('\n');
}

/** A spreadsheet runs no cell that follows an apostrophe. */
export const cellOf = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
