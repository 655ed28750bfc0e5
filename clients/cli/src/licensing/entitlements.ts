import { usageFailure } from '../failure.js';

/** The options of features and of the seller's own data. */
export const ENTITLEMENTS = ['--entitlements <names>', 'features, separated by commas; "" for none'] as const;
export const METADATA = [
  '--metadata <name=value...>',
  'your own data, which replaces what was there; "" for none',
] as const;

/** What these options were given. */
export interface EntitlementOptions {
  readonly entitlements?: string;
  readonly metadata?: readonly string[];
}

/** The members of a request that these options name; the service judges the names. @throws Failure for what has no `=` */
export function entitlementsOf({ entitlements, metadata }: EntitlementOptions): {
  entitlements?: string[];
  metadata?: Record<string, string>;
} {
  return {
    ...(entitlements === undefined ? {} : { entitlements: entitlements.split(/[\s,]+/).filter((name) => name !== '') }),
    ...(metadata === undefined ? {} : { metadata: Object.fromEntries(metadata.flatMap(memberOf)) }),
  };
}

function memberOf(text: string): readonly (readonly [string, string])[] {
  if (text === '') return [];
  const at = text.indexOf('=');
  if (at < 1) throw usageFailure(`"${text}" is not of the form name=value.`);
  return [[text.slice(0, at), text.slice(at + 1)]];
}
