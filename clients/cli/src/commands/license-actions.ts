import { answer, atMost } from '../api/service.js';
import type { Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { chooseDevice, changeLicense, freeSeat, mailNewCode, rotateCode } from '../licensing/change.js';
import { findLicense, listLicenses, readLicense, searchLicenses, type License } from '../licensing/licenses.js';
import { hintOf, LICENSE_HEADS, licenseTable, nameOf } from '../licensing/line.js';
import { choosePlan, issueLicense, plansOf } from '../licensing/plans.js';
import { findExtension } from '../publishing/extensions.js';
import { confirmed } from '../terminal/confirmed.js';
import { narrowingOf, termsOf, type NarrowingOptions, type TermsOptions } from './license-options.js';

interface OfExtension {
  readonly extension?: string;
  readonly plan?: string;
}

/** Finds licenses. */
export async function findAll(context: Context, text: string | undefined, options: NarrowingOptions): Promise<void> {
  const service = await context.service();
  const narrowing = await narrowingOf(context, service, options);
  const items =
    text === undefined ? await listLicenses(service, narrowing) : await searchLicenses(service, text, narrowing);
  context.terminal.result({ items }, () =>
    items.length === 0
      ? 'No license was found.'
      : licenseTable(items, context.terminal.style, new Date(), { url: service.url }),
  );
}

interface ListOptions extends NarrowingOptions {
  readonly buyer?: string;
  readonly order?: string;
  readonly mode?: 'live' | 'test';
  readonly limit: number;
  readonly all?: true;
}

/** Lists licenses. */
export async function listAll(context: Context, options: ListOptions): Promise<void> {
  const { buyer, order, mode, limit, all } = options;
  const { terminal } = context;
  const service = await context.service();
  const query = {
    ...(await narrowingOf(context, service, options)),
    ...(buyer === undefined ? {} : { email: buyer }),
    ...(order === undefined ? {} : { order }),
    ...(mode === undefined ? {} : { isTest: mode === 'test' ? ('true' as const) : ('false' as const) }),
  };
  const listed = await atMost(all ? Infinity : limit, (page) =>
    service.client.GET('/api/v1/licenses', { params: { query: { ...query, ...page } } }),
  );
  const total = listed.hasMore
    ? await answer(service.client.GET('/api/v1/licenses/count', { params: { query } }))
    : { count: listed.items.length, isMore: false };
  terminal.result({ ...listed, total }, ({ items }) =>
    items.length === 0
      ? 'There is no such license.'
      : licenseTable(items, terminal.style, new Date(), { url: service.url, heads: LICENSE_HEADS }),
  );
  if (listed.hasMore && !terminal.json)
    terminal.note(
      `The newest ${listed.items.length} of ${total.count}${total.isMore ? '+' : ''}. List more with --limit, or all with --all.`,
    );
}

/** Shows a license. */
export async function showOne(context: Context, text: string): Promise<void> {
  const service = await context.service();
  const license = await readLicense(service, (await findLicense(service, text)).id);
  const { name } = await findExtension(service, license.extensionId, await context.project());
  const { licenseDetails } = await import('../licensing/details.js');
  context.terminal.result({ ...license, extension: name }, () =>
    licenseDetails(license, name, context.terminal.style, new Date()),
  );
}

/** Issues a license, and prints its code. */
export async function issueOne(
  context: Context,
  buyerEmail: string,
  options: OfExtension & TermsOptions,
): Promise<void> {
  const terms = termsOf(options);
  const service = await context.service();
  const { extension, plans } = await plansOf(context, service, options);
  const plan = choosePlan(plans, options.plan);
  const issued = await issueLicense(service, { planId: plan.id, buyerEmail, ...terms });
  context.terminal.note(
    `Issued a license of ${extension.name} (${plan.tier}) to ${issued.buyerEmail ?? buyerEmail}. Its code:`,
  );
  context.terminal.result(issued, ({ code }) => code);
}

/** Suspends or reinstates a license. @param done what it is then */
export const changing =
  (name: 'suspend' | 'reinstate', done: string) =>
  async (context: Context, text: string): Promise<void> => {
    const service = await context.service();
    const { id } = await findLicense(service, text);
    changed(context, await changeLicense(service, id, name), done);
  };

const changed = (context: Context, license: License, done: string): void =>
  context.terminal.result(license, () => `${nameOf(license)} ${done}.`);

interface RevokeOptions {
  readonly yes?: true;
}

/** Revokes a license once its code is confirmed. */
export async function revokeOne(context: Context, text: string, { yes }: RevokeOptions): Promise<void> {
  const service = await context.service();
  const license = await findLicense(service, text);
  const { codeHint, tier, seats } = license;
  const devices = seats.used === 0 ? 'No device uses it.' : `Its ${seats.used} devices are refused from then on.`;
  const what = `This revokes ${nameOf(license)} (${tier}) for good. ${devices}`;
  if (!yes) await confirmed(context, { what, name: codeHint, called: 'the last five symbols of the code' });
  changed(context, await changeLicense(service, license.id, 'revoke'), 'is revoked');
}

/** Replaces the code of a license. */
export async function rotateOne(context: Context, text: string, { mail }: { readonly mail?: true }): Promise<void> {
  const service = await context.service();
  const license = await findLicense(service, text);
  if (mail) {
    const renewed = await mailNewCode(service, license.id);
    context.terminal.result(
      renewed,
      () =>
        `${hintOf(renewed)} replaces ${hintOf(license)}, and is being mailed to ${renewed.buyerEmail ?? 'the buyer'}.`,
    );
    return;
  }
  const rotated = await rotateCode(service, license.id);
  context.terminal.note(`${nameOf(license)} no longer works. The new code:`);
  context.terminal.result(rotated, ({ code }) => code);
}

/** Frees the seat of a device. */
export async function freeOne(context: Context, text: string, wanted: string | undefined): Promise<void> {
  const service = await context.service();
  const license = await readLicense(service, (await findLicense(service, text)).id);
  const [only, ...others] = license.devices;
  if (wanted === undefined && others.length > 0)
    throw usageFailure(
      `${hintOf(license)} has several devices. Name one of them.`,
      'pierhead licenses show lists them.',
    );
  const device = chooseDevice(license.devices, wanted ?? only?.id ?? '');
  await freeSeat(service, license.id, device.id);
  const { seats: left } = await readLicense(service, license.id);
  context.terminal.result(
    { released: true, seats: left, device },
    ({ seats }) => `Freed ${device.label ?? device.id}: ${seats.used} of ${seats.max} in use.`,
  );
}
