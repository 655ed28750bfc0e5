import { createHash } from 'node:crypto';
import { type Answer, textAnswer } from './answer.js';
import type { FileServer, Served } from './served-file.js';
import { compareVersions } from './versions.js';

/** The extension in an update check, and its installed version if present. */
export interface UpdateQuery {
  readonly itemId: string;
  readonly version: string | null;
}

/**
 * The `x` parameters of an update check, each itself a query string such as `id=…&v=1.0&uc`
 * (src/stores/README.md#chrome-update-check).
 */
export function readUpdateQueries(url: URL): UpdateQuery[] {
  return url.searchParams.getAll('x').map((packed) => {
    const inner = new URLSearchParams(packed);
    return { itemId: inner.get('id') ?? '', version: inner.get('v') };
  });
}

/** The part of a store that its update service asks. */
export interface UpdateSource {
  /** The version that everybody gets; undefined for none. */
  readonly find: (itemId: string) => Served | undefined;
  readonly files: FileServer;
  /** URL of the folder of files. */
  readonly folder: string;
}

/** The update service's answer to any browser (src/stores/README.md#chrome-update-check). */
export async function updateCheck(queries: readonly UpdateQuery[], source: UpdateSource): Promise<Answer> {
  const apps = await Promise.all(queries.map((query) => appElement(query, source)));
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0" server="prod">' +
    `<daystart elapsed_days="7000" elapsed_seconds="0"/>${apps.join('')}</gupdate>`;
  return textAnswer(200, 'text/xml; charset=UTF-8', xml);
}

async function appElement(query: UpdateQuery, { find, files, folder }: UpdateSource): Promise<string> {
  const live = find(query.itemId);
  const opening = `<app appid="${escapeXml(query.itemId)}" cohort="" cohortname=""`;
  if (!live) return `${opening} status="error-unknownApplication"/>`;
  if (query.version !== null && compareVersions(live.version, query.version) <= 0) {
    return `${opening} status="ok"><updatecheck status="noupdate"/></app>`;
  }
  const file = await files.file(live);
  const codebase = `${folder}/${escapeXml(query.itemId)}_${live.version}.crx`;
  const hash = file === null ? '' : createHash('sha256').update(file).digest('hex');
  const measures = `hash_sha256="${hash}" protected="0" size="${file?.length ?? 0}"`;
  return `${opening} status="ok"><updatecheck codebase="${codebase}" fp="" ${measures} status="ok" version="${live.version}"/></app>`;
}

function escapeXml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
