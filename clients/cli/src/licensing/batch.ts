import { randomUUID } from 'node:crypto';
import { asJson } from '../api/csv.js';
import { answer, type Schema, type Service } from '../api/service.js';
import { cellOf } from './import.js';

export type Batch = Schema<'LicenseBatch'>;

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
