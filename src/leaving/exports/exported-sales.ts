import { ID, ROW, type ExportedTable } from './exported-table.js';

/** What an export contains of sales, and of how buyers see the seller. */
export const EXPORTED_SALES: readonly ExportedTable[] = [
  {
    file: 'branding',
    table: 'branding',
    owner: 'tenant',
    key: ID,
    columns: [
      ...ROW,
      'display_name',
      'support_address',
      'accent_color',
      'logo_type',
      'logo_sha256',
      "translate(encode(t.logo, 'base64'), chr(10), '') as logo",
    ],
  },
  {
    file: 'purchases',
    table: 'purchase',
    owner: 'tenant',
    key: ID,
    columns: [...ROW, 'processor', 'paid', 'customer_id', 'issued_at', 'unmapped', 'erased_at'],
  },
  {
    file: 'purchase-references',
    table: 'purchase_ref',
    owner: 'tenant',
    key: ['processor', 'ref'],
    columns: ['processor', 'ref', 'purchase_id'],
  },
  {
    file: 'purchase-licenses',
    table: 'purchase_license',
    owner: 'purchase',
    key: ['position'],
    columns: ['purchase_id', 'position', 'plan_id', 'units', 'license_id', 'ended_at'],
  },
  {
    file: 'payment-customers',
    table: 'payment_customer',
    owner: 'tenant',
    key: ['processor', 'customer_id'],
    columns: ['processor', 'customer_id', 'email', 'email_reported_at'],
  },
  {
    file: 'payment-inbox',
    table: 'inbox_item',
    owner: 'tenant',
    key: ID,
    columns: [
      ...ROW,
      'processor',
      'event_key',
      'kind',
      'happened_at',
      'is_test',
      'status',
      'reason',
      'payload',
      'purchase_id',
      'credential_id',
    ],
  },
];
