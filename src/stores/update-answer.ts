import { isVersion } from './version.js';

/** The version that an update service offers of an item, and where its file is. */
export interface UpdateOffer {
  readonly version: string;
  /** Address of the file; null where the answer names none. */
  readonly codebase: string | null;
  /** Of the file, in hex; null where the answer tells none. */
  readonly sha256: string | null;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads what an answer of an update service offers of an item; null for nothing. Pure.
 * @param xml as Chromium reads it (https://chromium.googlesource.com/chromium/src/+/main/extensions/common/update_manifest.h)
 */
export function offerIn(xml: string, publicId: string): UpdateOffer | null {
  const app = xml.split(/<app\s/).find((part) => attributeOf(part, 'appid') === publicId);
  const check = app?.split(/<updatecheck\s/)[1];
  if (check === undefined || attributeOf(check, 'status') !== 'ok') return null;
  const version = attributeOf(check, 'version');
  if (version === null || !isVersion(version)) return null;
  const sha256 = attributeOf(check, 'hash_sha256')?.toLowerCase() ?? '';
  return {
    version,
    codebase: attributeOf(check, 'codebase'),
    sha256: /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null,
  };
}

/** An attribute of the first element in a part of XML. */
function attributeOf(xml: string, name: string): string | null {
  const value = new RegExp(`^[^>]*?(?<![\\w-])${name}="([^"]*)"`).exec(xml)?.[1];
  return value === undefined ? null : value.replaceAll(/&(\w+);/g, (all, entity: string) => ENTITIES[entity] ?? all);
}
