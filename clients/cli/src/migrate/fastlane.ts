import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTHING, type Plan, unescapePem } from './plan.js';

/** A key of App Store Connect, as fastlane keeps it (https://docs.fastlane.tools/app-store-connect-api). */
interface ApiKey {
  readonly key_id: string;
  readonly issuer_id?: string;
  readonly key: string;
  readonly is_key_content_base64?: boolean;
}

/** What fastlane knows of an app. */
export interface Fastlane {
  /** The key's file. */
  readonly from: string;
  readonly key: ApiKey;
  /** The bundle id, from the Appfile; null where it names none. */
  readonly appIdentifier: string | null;
}

const FOLDER = 'fastlane';
/** As a call or as a command, with an id that is written out. */
const APP_IDENTIFIER = /^\s*app_identifier[\s(]+["']([\w.-]+)["']/m;

/**
 * Finds fastlane's key: the file that is named, or the first one in `fastlane/`.
 * @returns null when there is none
 * @throws Error when the file that is named holds no such key
 */
export async function readFastlane(folder: string, named?: string): Promise<Fastlane | null> {
  const files = (await readdir(join(folder, FOLDER)).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const candidates = named === undefined ? files.map((name) => join(FOLDER, name)) : [named];
  for (const from of candidates) {
    const path = named ?? join(folder, from);
    const key = parseKey(await readFile(path, 'utf8'));
    if (key !== null) return { from, key, appIdentifier: await appIdentifier(folder) };
    if (named !== undefined)
      throw new Error(`${named} holds no key of App Store Connect: an object with key_id, issuer_id and key.`);
  }
  return null;
}

function parseKey(text: string): ApiKey | null {
  try {
    const value: unknown = JSON.parse(text);
    const { key_id, key } = value as Partial<ApiKey>;
    return typeof key_id === 'string' && typeof key === 'string' ? (value as ApiKey) : null;
  } catch {
    return null;
  }
}

async function appIdentifier(folder: string): Promise<string | null> {
  for (const name of ['Appfile', 'Deliverfile']) {
    const text = await readFile(join(folder, FOLDER, name), 'utf8').catch(() => '');
    const [, id] = APP_IDENTIFIER.exec(text) ?? [];
    if (id !== undefined) return id;
  }
  return null;
}

/** Plans the migration of fastlane's key. */
export function planFastlane(found: Fastlane | null): Plan {
  if (found === null) return NOTHING;
  const { from, key, appIdentifier: id } = found;
  const { key_id: keyId, issuer_id: issuerId } = key;
  const content = key.is_key_content_base64 === true ? Buffer.from(key.key, 'base64').toString('utf8') : key.key;
  const part = (name: string) => ({ from, name, outcome: 'taken', note: 'part of the credential' }) as const;
  return {
    lines: [
      part('key_id'),
      ...(issuerId === undefined ? [] : [part('issuer_id')]),
      part('key'),
      ...(id === null
        ? []
        : [{ from: 'fastlane', name: 'app_identifier', outcome: 'taken', note: 'the app of the target' } as const]),
    ],
    stores: [
      {
        store: 'safari',
        credentials: { ...(issuerId === undefined ? {} : { issuerId }), keyId, privateKey: unescapePem(content) },
        settings: id === null ? {} : { storeItemId: id },
      },
    ],
    project: {},
  };
}
