import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { answer, type Schema, type Service } from '../api/service.js';
import { EXIT, Failure, usageFailure } from '../failure.js';

export type FileImport = Schema<'FileImport'>;

/** How a file is read, as the options say it. */
export interface ReadingOptions {
  readonly profile?: string;
  readonly map?: readonly string[];
  readonly tier?: readonly string[];
  readonly status?: readonly string[];
}

const POLL_MS = 300;
/** States that do not last. */
const UNDER_WAY: ReadonlySet<FileImport['state']> = new Set(['uploading', 'checking', 'running']);
/** An import of the same file goes on, unless it has ended. */
const OPEN: ReadonlySet<FileImport['state']> = new Set(['unread', 'checking', 'ready', 'running']);

/** Finds the import of the same file that was interrupted, or that has codes which nobody fetched, or sends the file. */
export async function openImport(service: Service, extension: string, csv: Uint8Array): Promise<FileImport> {
  const sha256 = createHash('sha256').update(csv).digest('hex');
  const query = { extension, limit: 100 };
  const { items } = await answer(service.client.GET('/api/v1/license-imports', { params: { query } }));
  const open = items.find((one) => one.sha256 === sha256 && (OPEN.has(one.state) || hasCodes(one)));
  if (open !== undefined) return readImport(service, open.id);
  return answer(
    service.client.POST('/api/v1/license-imports', {
      params: { query: { extension } },
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: csv as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
}

const hasCodes = ({ state, codes }: Pick<FileImport, 'state' | 'codes'>): boolean => state === 'done' && codes > 0;

/** Whether an import has been started: nothing is left to say or to ask. */
export const hasBegun = (one: FileImport): boolean => one.state === 'running' || hasCodes(one);

export const readImport = (service: Service, id: string): Promise<FileImport> =>
  answer(service.client.GET('/api/v1/license-imports/{id}', { params: { path: { id } } }));

/** Says how a file is read. */
export const sayReading = (service: Service, id: string, said: Schema<'PreviewImport'>): Promise<FileImport> =>
  answer(
    service.client.POST('/api/v1/license-imports/{id}/preview', {
      params: { path: { id } },
      body: said,
      fetch: service.repeatedly,
    }),
  );

export const startImport = (service: Service, id: string, skipFaults: boolean): Promise<FileImport> =>
  answer(
    service.client.POST('/api/v1/license-imports/{id}/start', {
      params: { path: { id } },
      body: { skipFaults },
      fetch: service.repeatedly,
    }),
  );

/** The codes that an import made, as CSV; empty when it made none. */
export async function codesOf(service: Service, { id, codes }: FileImport): Promise<string> {
  if (codes === 0) return '';
  const path = { params: { path: { id } }, parseAs: 'text' } as const;
  const csv = await answer(service.client.GET('/api/v1/license-imports/{id}/codes', path));
  return csv.replaceAll('\r\n', '\n');
}

/** Deletes an import with its file and its codes. */
export const forgetImport = async (service: Service, id: string): Promise<void> => {
  await answer(
    service.client.DELETE('/api/v1/license-imports/{id}', { params: { path: { id } }, fetch: service.repeatedly }),
  );
};

/** Waits until a worker has nothing left to do for an import. @param onStep told after each look */
export async function settled(
  service: Service,
  first: FileImport,
  signal: AbortSignal,
  onStep: (now: FileImport) => void,
): Promise<FileImport> {
  let now = first;
  while (UNDER_WAY.has(now.state)) {
    await pause(POLL_MS, undefined, { signal });
    now = await readImport(service, now.id);
    onStep(now);
  }
  return now;
}

/** Reads the options that say how a file is read; null when none does. Pure. @throws Failure for what has no `=` */
export function readingOf({
  profile,
  map = [],
  tier = [],
  status = [],
}: ReadingOptions): Schema<'PreviewImport'> | null {
  const said = {
    ...(profile === undefined ? {} : { profile: profile as NonNullable<Schema<'PreviewImport'>['profile']> }),
    ...(map.length === 0 ? {} : { columns: pairsOf(map, '--map "Column=email"') }),
    ...(tier.length === 0 ? {} : { tiers: pairsOf(tier.map(forEvery), '--tier "Product=pro"') }),
    ...(status.length === 0 ? {} : { statuses: pairsOf(status, '--status "Frozen=suspended"') }),
  };
  return Object.keys(said).length === 0 ? null : said;
}

/** A tier alone is that of every product. */
const forEvery = (text: string): string => (text.includes('=') ? text : `*=${text}`);

/** The last `=` divides, since names of columns and products may have some. */
function pairsOf(texts: readonly string[], example: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1) throw usageFailure(`"${text}" lacks what it stands for.`, `Such as ${example}.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** What has to be said before a file can be read; null when nothing has. Pure. */
export function unreadFailure({ missing, columns }: FileImport): Failure | null {
  if (missing.length === 0) return null;
  const names = columns.map(({ name }) => JSON.stringify(name)).join(', ');
  return usageFailure(
    `The file does not say which column holds ${missing.join(' and ')}. Its columns: ${names}.`,
    missing
      .map((field) => (field === 'tier' ? '--tier pro, or --map "Column=tier"' : `--map "Column=${field}"`))
      .join('; '),
  );
}

/** A word that no shell takes for anything else. */
const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A spreadsheet runs no cell that follows an apostrophe. */
export const cellOf = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
/** What cannot be imported; null when nothing is left out for a fault. Pure. */
export function faultsOf({ faults, firstFaults, lines, products, state }: FileImport): Failure | null {
  if (faults === 0) return null;
  const isDone = state === 'done';
  const unsaid = products.filter(({ tier }) => tier === null).map(({ value }) => `--tier ${inShell(`${value}=…`)}`);
  const more = faults - firstFaults.length;
  return new Failure(
    `${faults} of ${lines} lines cannot be imported. ${isDone ? 'The others were.' : 'Nothing was changed.'}`,
    {
      exitCode: isDone ? EXIT.failed : EXIT.usage,
      errors: [
        ...firstFaults.map(({ line, message }) => ({ field: `line ${line}`, message })),
        ...(more > 0 ? [{ field: 'and', message: `${more} more.` }] : []),
      ],
      ...(isDone
        ? {}
        : {
            hint: [
              ...(unsaid.length === 0 ? [] : [`${unsaid.slice(0, 3).join(' ')} (- leaves lines out).`]),
              '--skip-faults imports the others.',
            ].join(' '),
          }),
    },
  );
}
