import { answer, everything, type Schema, type Service } from '../api/service.js';
import { Failure, usageFailure } from '../failure.js';
import { hintOf } from './line.js';
import { termOf, type LicenseQuery } from './term.js';

export type License = Schema<'License'>;
export type LicenseWithDevices = Schema<'LicenseWithDevices'>;

/** Filters of a search besides its term. */
export interface Narrowing {
  /** Id of the extension. */
  readonly extension?: string;
  readonly status?: License['status'];
  readonly campaign?: string;
}

const MOST_NAMED = 10;
const EXAMPLES =
  'Use a mail address, a code or its last five symbols, a purchase as its processor shows it, or the id of the license.';

/** Finds licenses by anything that identifies them. @throws Failure for text that cannot identify a license */
export async function searchLicenses(service: Service, text: string, narrowing: Narrowing = {}): Promise<License[]> {
  const term = termOf(text);
  if (term === null) throw usageFailure(`"${text}" does not name a license.`, EXAMPLES);
  const found = await Promise.all([
    term.id === null ? [] : licenseOfId(service, term.id, narrowing),
    ...term.queries.map((query) => listLicenses(service, { ...query, ...narrowing })),
  ]);
  return found.flat();
}

export const listLicenses = (service: Service, filter: LicenseQuery & Narrowing): Promise<License[]> =>
  everything((page) => service.client.GET('/api/v1/licenses', { params: { query: { ...filter, ...page } } }));

async function licenseOfId(
  service: Service,
  id: string,
  { extension, status, campaign }: Narrowing,
): Promise<License[]> {
  const { data, error, response } = await service.client.GET('/api/v1/licenses/{id}', { params: { path: { id } } });
  if (response.status === 404) return [];
  const { devices: _devices, ...license } = await answer(Promise.resolve({ data, error, response }));
  const isMeant =
    (extension === undefined || license.extensionId === extension) &&
    (status === undefined || license.status === status) &&
    (campaign === undefined || license.campaign === campaign);
  return isMeant ? [license] : [];
}

/** The one license that is meant. @throws Failure when none or several could be */
export async function findLicense(service: Service, text: string): Promise<License> {
  const found = await searchLicenses(service, text);
  if (found.length === 0)
    throw new Failure(`There is no license for "${text}".`, { hint: `${EXAMPLES} A replaced code finds nothing.` });
  const isSearch = termOf(text)?.queries.some(({ search }) => search !== undefined) === true;
  // An address that only begins so may be another buyer's.
  const meant = isSearch ? found.filter(({ buyerEmail }) => buyerEmail === text.trim().toLowerCase()) : found;
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return only;
  const candidates = only === undefined ? found : meant;
  const named = candidates
    .slice(0, MOST_NAMED)
    .map((each) => `${hintOf(each)} (${each.tier}, ${each.buyerEmail ?? 'no owner yet'})`);
  const more = candidates.length > MOST_NAMED ? ` and ${candidates.length - MOST_NAMED} more` : '';
  throw usageFailure(
    only === undefined ? `"${text}" names no license in full.` : `"${text}" names ${meant.length} licenses.`,
    `${candidates.length === 1 ? 'It is' : 'They are'} ${named.join(', ')}${more}. Name one by its last five symbols or its id.`,
  );
}

export const readLicense = (service: Service, id: string): Promise<LicenseWithDevices> =>
  answer(service.client.GET('/api/v1/licenses/{id}', { params: { path: { id } } }));
