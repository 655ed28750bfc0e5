import { randomUUID } from 'node:crypto';
import { asJson } from '../api/csv.js';
import { answer, everything, type Schema, type Service } from '../api/service.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { day } from '../terminal/words.js';
import { cellOf } from './import.js';

export type Batch = Schema<'LicenseBatch'>;
export type Campaign = Schema<'Campaign'>;

/** Issues many licenses. Its key lets the request be repeated: a lost answer loses no code. */
export const issueBatch = async (service: Service, body: Schema<'IssueBatch'>): Promise<Batch> =>
  asJson(
    await answer(
      service.client.POST('/api/v1/licenses/batch', {
        params: { header: { 'Idempotency-Key': randomUUID() } },
        body,
        fetch: service.repeatedly,
      }),
    ),
  );

/** Codes or links of a batch as CSV; empty when they are mailed. Pure. */
export function batchCsv({ items, delivery }: Batch): string {
  if (delivery === 'mail') return '';
  const name = delivery === 'gift' ? 'link' : 'code';
  const rows = items.map(
    ({ code, giftUrl, buyerEmail, licenseId }) => `${code ?? giftUrl ?? ''},${cellOf(buyerEmail ?? '')},${licenseId}`,
  );
  return [`${name},email,licenseId`, ...rows, ''].join('\n');
}

/** The addresses of a file, one on each line. Pure. */
export const addressesIn = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const listCampaigns = (
  service: Service,
  filter: { readonly extension?: string; readonly campaign?: string },
): Promise<Campaign[]> =>
  everything((page) => service.client.GET('/api/v1/campaigns', { params: { query: { ...filter, ...page } } }));

/** One row for each campaign and plan. */
export const campaignTable = (campaigns: readonly Campaign[], style: Style, now: Date): string =>
  table(
    campaigns.map(({ campaign, tier, issued, used, active, revoked, lastIssuedAt }) => [
      campaign,
      tier,
      String(issued),
      String(used),
      String(active),
      String(revoked),
      day(lastIssuedAt, now),
    ]),
    style,
    {
      heads: ['CAMPAIGN', 'PLAN', 'ISSUED', 'USED', 'ACTIVE', 'REVOKED', 'LAST'],
      whole: [2, 3, 4, 5],
      dispensable: [6, 1],
    },
  );

/** Revokes the licenses of a campaign, a hundred at a time. Running it again goes on. @returns how many it revoked */
export async function revokeCampaign(service: Service, campaign: string): Promise<number> {
  let revoked = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { action: 'revoke', filter: { campaign }, ...(cursor === undefined ? {} : { cursor }) } as const;
    const page: Schema<'BulkAnswer'> = await answer(
      service.client.POST('/api/v1/licenses/bulk', { body, fetch: service.repeatedly }),
    );
    revoked += page.items.filter(({ outcome }) => outcome === 'changed').length;
    cursor = page.nextCursor;
  }
  return revoked;
}
