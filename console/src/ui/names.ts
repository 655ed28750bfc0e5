import * as catalog from '../../../clients/cli/src/api/catalog';
import { PROCESSORS as DESCRIBED } from '../../../clients/cli/src/api/processors';

export type StoreId = (typeof catalog.STORES)[number]['id'];
type ProcessorId = (typeof DESCRIBED)[number]['id'];

/** The stores in the order in which they are always shown, by their short names. */
export const STORES = Object.fromEntries(catalog.STORES.map(({ id, name }) => [id, name])) as Readonly<
  Record<StoreId, string>
>;

/** Platforms, as their makers write them. */
const PLATFORMS: Readonly<Record<string, string>> = {
  macos: 'macOS',
  ios: 'iOS',
  desktop: 'Desktop',
  android: 'Android',
};

/** A platform by its name. */
export const platformName = (platform: string): string => PLATFORMS[platform] ?? platform;

/** A store's platform in brackets, after a name; nothing where there is none. */
export const ofPlatform = (platform: string | null): string =>
  platform === null ? '' : ` (${platformName(platform)})`;

/** The payment processors by their names. */
export const PROCESSORS = Object.fromEntries(DESCRIBED.map(({ id, title }) => [id, title])) as Readonly<
  Record<ProcessorId, string>
>;
