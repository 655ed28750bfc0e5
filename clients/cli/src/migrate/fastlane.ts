import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFailure } from '../failure.js';
import { type Line, NOTHING, type Plan, unescapePem } from './plan.js';

/** A key of App Store Connect, as fastlane keeps it (https://docs.fastlane.tools/app-store-connect-api). */
interface ApiKey {
  readonly key_id: string;
  readonly issuer_id?: string;
  readonly key: string;
  readonly is_key_content_base64?: boolean;
  readonly [other: string]: unknown;
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
 * Finds fastlane's key: the one of the file that is named, or the first one in `fastlane/`.
 * @returns null when there is none
 * @throws Failure when the file that is named holds no such key
 */
export async function readFastlane(
  folder: string,
  named?: { readonly from: string; readonly text: string },
): Promise<Fastlane | null> {
  if (named !== undefined) {
    const key = parseKey(named.text);
    if (key !== null) return { from: named.from, key, appIdentifier: await appIdentifier(folder) };
    throw usageFailure(
      `${named.from} holds no key of App Store Connect: an object with key_id, issuer_id and key.`,
      'fastlane calls it the API key JSON file.',
    );
  }
  const files = (await readdir(join(folder, FOLDER)).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  for (const from of files.map((name) => join(FOLDER, name))) {
    const key = parseKey(await readFile(join(folder, from), 'utf8'));
    if (key !== null) return { from, key, appIdentifier: await appIdentifier(folder) };
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

/** What the members of a key are that are no part of the credential. */
const OTHERS: Readonly<Record<string, string>> = {
  in_house: 'Pierhead publishes to the App Store, not to the devices of an enterprise',
  duration: 'Pierhead decides how long its tokens for the store last',
  apple_id: 'the key signs in without an Apple ID',
};

/** Plans the migration of fastlane's key. */
export function planFastlane(found: Fastlane | null): Plan {
  if (found === null) return NOTHING;
  const { from, key, appIdentifier: id } = found;
  const { key_id: keyId, issuer_id: issuerId } = key;
  const content = key.is_key_content_base64 === true ? Buffer.from(key.key, 'base64').toString('utf8') : key.key;
  const lines = Object.keys(key).map((name): Line => {
    const isPart = ['key_id', 'issuer_id', 'key', 'is_key_content_base64'].includes(name);
    const note = isPart ? 'part of the credential' : (OTHERS[name] ?? 'Pierhead has no such setting');
    return { from, name, outcome: isPart ? 'taken' : 'left', note };
  });
  return {
    lines: [
      ...lines,
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
