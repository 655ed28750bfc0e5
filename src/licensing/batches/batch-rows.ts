import type { Cell } from '../../common/http/index.js';
import type { LicenseBatch } from './batches.dto.js';

/** Rows of a batch as CSV. Pure. */
export const batchRows = ({ items }: LicenseBatch): readonly (readonly Cell[])[] => [
  ['code', 'email', 'licenseId'],
  ...items.map(({ code, buyerEmail, licenseId }) => [code, buyerEmail, licenseId]),
];
