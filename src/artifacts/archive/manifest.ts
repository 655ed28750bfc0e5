import { isVersion } from '../../stores/pure.js';
import { quotable } from '../../common/net/pure.js';
import { InvalidManifest } from './archive-errors.js';
import { MAX_LIST_ITEMS, MAX_TEXT_LENGTH } from './archive-limits.js';
import { isObject, type JsonObject, parseJson } from './json-text.js';

/** Manifest keys that give access without a permission, as Chromium's `getPermissionWarningsByManifest` judges them. */
export type GrantingKey = 'devtools_page' | 'chrome_url_overrides.newtab';

/** The parts of a package's `manifest.json` that Pierhead keeps. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly versionName: string | null;
  readonly manifestVersion: 2 | 3;
  /** Permissions that the extension has. Hosts are listed separately in both manifest versions. */
  readonly permissions: readonly string[];
  /** Match patterns of the sites it may read, those of its content scripts included: users are asked about both. */
  readonly hostPermissions: readonly string[];
  /** Permissions that it may request while it runs, including hosts. */
  readonly optionalPermissions: readonly string[];
  /** Keys that users are asked about as they are about permissions. */
  readonly grantingKeys: readonly GrantingKey[];
  readonly geckoId: string | null;
}

/** A manifest, and the language in which a name of the form `__MSG_key__` is to be looked up. */
export interface ParsedManifest {
  readonly manifest: PackageManifest;
  readonly defaultLocale: string | null;
}

/** Reads the text of a `manifest.json`; throws `InvalidManifest` with the first thing that a browser would refuse. */
export const parseManifest = (text: string): ParsedManifest => manifestFrom(manifestObject(text));

/** The JSON of a `manifest.json`. @throws InvalidManifest */
export function manifestObject(text: string): JsonObject {
  const json = parseJson(text, 'manifest.json');
  if (!isObject(json)) throw new InvalidManifest('manifest.json must be a JSON object.');
  return json;
}

/** Reads the JSON of a `manifest.json`, as `parseManifest` does its text. @throws InvalidManifest */
export function manifestFrom(json: JsonObject): ParsedManifest {
  const manifestVersion = readManifestVersion(json);
  const permissions = readPermissions(json, 'permissions');
  const hosts = manifestVersion === 3 ? readTexts(json, 'host_permissions') : permissions.filter(isHostPattern);
  const manifest: PackageManifest = {
    name: readName(json),
    version: readVersion(json),
    versionName: readText(json, 'version_name'),
    manifestVersion,
    permissions: unique(manifestVersion === 3 ? permissions : permissions.filter((each) => !isHostPattern(each))),
    hostPermissions: unique([...hosts, ...readContentScriptHosts(json)]),
    optionalPermissions: unique([
      ...readPermissions(json, 'optional_permissions'),
      ...readTexts(json, 'optional_host_permissions'),
    ]),
    grantingKeys: readGrantingKeys(json),
    geckoId: readGeckoId(json, 'browser_specific_settings') ?? readGeckoId(json, 'applications'),
  };
  return { manifest, defaultLocale: readText(json, 'default_locale') };
}

/** The text of a message in a `messages.json`, or `null` where there is none; keys are compared as browsers do. */
export function findMessage(text: string, file: string, key: string): string | null {
  const messages = parseJson(text, file);
  if (!isObject(messages)) return null;
  const found = Object.entries(messages).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
  if (!isObject(found) || typeof found.message !== 'string') return null;
  return found.message.trim() === '' ? null : checkText(found.message, `${file}: ${quotable(key)}`);
}

function readManifestVersion(json: JsonObject): 2 | 3 {
  const value = json.manifest_version;
  if (value !== 2 && value !== 3)
    throw new InvalidManifest('manifest.json: manifest_version must be the number 2 or 3.');
  return value;
}

function readVersion(json: JsonObject): string {
  const version = readText(json, 'version');
  if (version === null) throw new InvalidManifest('manifest.json has no version.');
  if (!isVersion(version)) {
    throw new InvalidManifest(
      `manifest.json: version "${quotable(version)}" is not 1 to 4 numbers of up to nine digits, separated by dots, without leading zeros.`,
    );
  }
  return version;
}

function readName(json: JsonObject): string {
  const name = readText(json, 'name');
  if (name === null || name.trim() === '') throw new InvalidManifest('manifest.json has no name.');
  return name;
}

function readContentScriptHosts(json: JsonObject): string[] {
  return readList(json.content_scripts, 'content_scripts').flatMap((script, at) => {
    const label = `content_scripts[${at}]`;
    if (!isObject(script)) throw new InvalidManifest(`manifest.json: ${label} must be an object.`);
    if (script.matches === undefined) throw new InvalidManifest(`manifest.json: ${label} has no matches.`);
    return readTexts(script, 'matches', `${label}.matches`);
  });
}

function readGecko(json: JsonObject, key: string): JsonObject | null {
  const settings = readObject(json, key, key);
  return settings === null ? null : readObject(settings, 'gecko', `${key}.gecko`);
}

function readGeckoId(json: JsonObject, key: string): string | null {
  const gecko = readGecko(json, key);
  const id = gecko === null ? null : readText(gecko, 'id', `${key}.gecko.id`);
  return id === '' ? null : id;
}

function readObject(json: JsonObject, key: string, label: string): JsonObject | null {
  const value = json[key];
  if (value === undefined) return null;
  if (!isObject(value)) throw new InvalidManifest(`manifest.json: ${label} must be an object.`);
  return value;
}

function readText(json: JsonObject, key: string, label = key): string | null {
  const value = json[key];
  if (value === undefined) return null;
  if (typeof value !== 'string') throw new InvalidManifest(`manifest.json: ${label} must be a string.`);
  return checkText(value, `manifest.json: ${label}`);
}

function readTexts(json: JsonObject, key: string, label = key): string[] {
  return readList(json[key], label).map((item, at) => {
    if (typeof item !== 'string') throw new InvalidManifest(`manifest.json: ${label}[${at}] must be a string.`);
    return checkText(item, `manifest.json: ${label}[${at}]`);
  });
}

/** Permissions by name; one with parameters is an object whose only key is the name, such as `{ "usbDevices": […] }`. */
function readPermissions(json: JsonObject, key: string): string[] {
  return readList(json[key], key).map((item, at) => {
    const label = `manifest.json: ${key}[${at}]`;
    const [name, ...others] = isObject(item) ? Object.keys(item) : [item];
    if (typeof name !== 'string' || others.length > 0)
      throw new InvalidManifest(`${label} must be a string, or an object with one key.`);
    return checkText(name, label);
  });
}

function readGrantingKeys(json: JsonObject): GrantingKey[] {
  return [
    ...(typeof json.devtools_page === 'string' ? (['devtools_page'] as const) : []),
    ...(isObject(json.chrome_url_overrides) && typeof json.chrome_url_overrides.newtab === 'string'
      ? (['chrome_url_overrides.newtab'] as const)
      : []),
  ];
}

function readList(value: unknown, label: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidManifest(`manifest.json: ${label} must be a list.`);
  if (value.length > MAX_LIST_ITEMS) {
    throw new InvalidManifest(
      `manifest.json: ${label} has ${value.length} items; at most ${MAX_LIST_ITEMS} are accepted.`,
    );
  }
  return value;
}

/** PostgreSQL keeps neither a NUL nor half a surrogate pair, though JSON can write both. */
function checkText(text: string, label: string): string {
  if (text.length > MAX_TEXT_LENGTH)
    throw new InvalidManifest(`${label} is longer than ${MAX_TEXT_LENGTH} characters.`);
  if (/[\0\p{Surrogate}]/u.test(text)) throw new InvalidManifest(`${label} contains a character that is not text.`);
  return text;
}

/** Whether an entry of a list of permissions is a match pattern. */
export function isHostPattern(permission: string): boolean {
  return permission === '<all_urls>' || permission.includes('://');
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
