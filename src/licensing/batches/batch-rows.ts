import type { Cell } from '../../common/http/index.js';
import type { LicenseBatch } from './batches.dto.js';

/** Rows of a batch as CSV. Pure. */
export const batchRows = ({ items }: LicenseBatch): readonly (readonly Cell[])[] => [
  ['code', 'link', 'email', 'licenseId'],
  ...items.map(({ code, giftUrl, buyerEmail, licenseId }) => [code, giftUrl, buyerEmail, licenseId]),
];
