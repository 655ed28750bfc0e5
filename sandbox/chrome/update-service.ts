import { type Answer, textAnswer } from '../answer.js';
import type { Item } from './item.js';
import { compareVersions } from '../versions.js';

/** The extension in an update check, and its installed version if present. */
export interface UpdateQuery {
  readonly itemId: string;
  readonly version: string | null;
}

/**
 * The `x` parameters of an update check, each itself a query string such as `id=…&v=1.0&uc`
 * (docs/stores.md#chrome-update-check).
 */
export function readUpdateQueries(url: URL): UpdateQuery[] {
  return url.searchParams.getAll('x').map((packed) => {
    const inner = new URLSearchParams(packed);
    return { itemId: inner.get('id') ?? '', version: inner.get('v') };
  });
}

/** The update service's answer to any browser (docs/stores.md#chrome-update-check). */
export function updateCheck(
  queries: readonly UpdateQuery[],
  find: (itemId: string) => Item | undefined,
  origin: string,
): Answer {
  const apps = queries.map((query) => appElement(query, find(query.itemId), origin)).join('');
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0" server="prod">' +
    `<daystart elapsed_days="7000" elapsed_seconds="0"/>${apps}</gupdate>`;
  return textAnswer(200, 'text/xml; charset=UTF-8', xml);
}

/** Items that are unpublished, taken down or for testers do not exist for the public (inferred). */
function appElement(query: UpdateQuery, item: Item | undefined, origin: string): string {
  const live = item && !item.takenDown && item.visibility !== 'private' ? item.published?.package : undefined;
  const opening = `<app appid="${escapeXml(query.itemId)}" cohort="" cohortname=""`;
  if (!live) return `${opening} status="error-unknownApplication"/>`;
  if (query.version !== null && compareVersions(live.version, query.version) <= 0) {
    return `${opening} status="ok"><updatecheck status="noupdate"/></app>`;
  }
  const codebase = `${origin}/crx/${escapeXml(query.itemId)}_${live.version}.crx`;
  const measures = `hash_sha256="${live.sha256 ?? ''}" protected="0" size="${live.size ?? 0}"`;
  return `${opening} status="ok"><updatecheck codebase="${codebase}" fp="" ${measures} status="ok" version="${live.version}"/></app>`;
}

function escapeXml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
