import { InvalidArgumentError, Option } from 'commander';
import { LICENSE_STATUSES } from '../api/catalog.js';
import type { Schema, Service } from '../api/service.js';
import type { Context } from '../context.js';
import { devicesOf } from '../licensing/devices.js';
import { entitlementsOf, type EntitlementOptions } from '../licensing/entitlements.js';
import { expiryOf } from '../licensing/expiry.js';
import type { Narrowing } from '../licensing/licenses.js';
import { findExtension } from '../publishing/extensions.js';

/** Options that narrow a search for licenses. */
export interface NarrowingOptions {
  readonly extension?: string;
  readonly status?: (typeof LICENSE_STATUSES)[number];
  readonly campaign?: string;
}
export const OF_EXTENSION = ['-e, --extension <name>', 'only of this extension'] as const;
export const OF_CAMPAIGN = ['--campaign <name>', 'only of this campaign'] as const;
export const withStatus = (): Option =>
  new Option('--status <status>', 'only with this status').choices(LICENSE_STATUSES);

/** Filter of a search by the options. @throws Failure for an extension that is not there */
export async function narrowingOf(
  context: Context,
  service: Service,
  { extension: named, status, campaign }: NarrowingOptions,
): Promise<Narrowing> {
  const extension = named === undefined ? null : await findExtension(service, named, await context.project());
  return {
    ...(extension === null ? {} : { extension: extension.id }),
    ...(status === undefined ? {} : { status }),
    ...(campaign === undefined ? {} : { campaign }),
  };
}

/** How many items a list shows. @throws InvalidArgumentError for text that is no such number */
export function limitOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 999999.');
  return Number(text);
}

/** Options of what a license is issued with. */
export const EXPIRES = [
  '--expires <day>',
  'the last day, such as 2027-12-31, a number of days, such as 90d, or never (default: as its plan says)',
] as const;
export const DEVICES = [
  '--devices <count>',
  'how many devices may use it (default: as many as the plan allows)',
] as const;
export const CAMPAIGN = [
  '--campaign <name>',
  'your name for the occasion, to find, count and change its licenses by',
] as const;

export interface TermsOptions extends EntitlementOptions {
  readonly plan?: string;
  readonly expires?: string;
  readonly devices?: string;
  readonly campaign?: string;
}

/** What a license is issued with, as the options say. @throws Failure for a day or a number that is none */
export function termsOf(
  options: TermsOptions,
): Pick<Schema<'IssueLicense'>, 'expiresAt' | 'maxActivations' | 'campaign' | 'entitlements' | 'metadata'> {
  const { expires, devices, campaign } = options;
  return {
    ...(expires === undefined ? {} : { expiresAt: expires === 'never' ? null : expiryOf(expires, new Date()) }),
    ...(devices === undefined ? {} : { maxActivations: devicesOf(devices) }),
    ...(campaign === undefined ? {} : { campaign }),
    ...entitlementsOf(options),
  };
}
