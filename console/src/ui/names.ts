/** The stores in the order in which they are always shown, by their short names. */
export const STORES = { chrome: 'Chrome', firefox: 'Firefox', edge: 'Edge', safari: 'Safari' } as const;
export type StoreId = keyof typeof STORES;

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
export const PROCESSORS = {
  stripe: 'Stripe',
  paddle: 'Paddle',
  lemonsqueezy: 'Lemon Squeezy',
  polar: 'Polar',
} as const;
