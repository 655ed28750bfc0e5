import type { EntityMetadata } from 'typeorm';
import { exportedTable, type ExportedFile, type ExportedTable } from './exported-table.js';

/** The files of an export, in the order of the archive. What each contains is marked in its table's entity. */
const FILES: readonly ExportedFile[] = [
  { file: 'tenant', table: 'tenant', owner: 'itself' },
  { file: 'members', table: 'membership', owner: 'tenant' },
  { file: 'audit-log', table: 'audit_entry', owner: 'tenant' },
  { file: 'invitations', table: 'invitation', owner: 'tenant' },
  { file: 'access-tokens', table: 'access_token', owner: 'tenant' },
  { file: 'ci-trust-rules', table: 'ci_trust_rule', owner: 'tenant' },
  { file: 'extensions', table: 'extension', owner: 'tenant' },
  { file: 'events', table: 'event', owner: 'extension' },
  { file: 'credentials', table: 'credential', owner: 'tenant' },
  { file: 'targets', table: 'target', owner: 'extension' },
  { file: 'signing-keys', table: 'signing_key', owner: 'target' },
  { file: 'target-statuses', table: 'target_status', owner: 'target' },
  { file: 'store-figures', table: 'store_figure', owner: 'target' },
  { file: 'store-reviews', table: 'store_review', owner: 'tenant' },
  { file: 'artifacts', table: 'artifact', owner: 'extension' },
  { file: 'approvals', table: 'approval', owner: 'extension' },
  { file: 'finding-overrides', table: 'finding_override', owner: 'extension' },
  { file: 'releases', table: 'release', owner: 'extension' },
  { file: 'rejection-reasons', table: 'rejection_reason', owner: 'extension' },
  { file: 'lease-keys', table: 'lease_key', owner: 'extension' },
  { file: 'analytics-days', table: 'stat_total', owner: 'extension' },
  { file: 'analytics-shares', table: 'stat_day', owner: 'extension' },
  { file: 'mails', table: 'mail', owner: 'tenant' },
  { file: 'notification-endpoints', table: 'notification_endpoint', owner: 'tenant' },
  { file: 'notifications', table: 'notification', owner: 'tenant' },
  { file: 'notification-deliveries', table: 'notification_delivery', owner: 'tenant' },
  { file: 'delivery-attempts', table: 'delivery_attempt', owner: 'tenant' },
  { file: 'plans', table: 'plan', owner: 'extension' },
  { file: 'plan-products', table: 'plan_product', owner: 'tenant' },
  { file: 'licenses', table: 'license', owner: 'tenant' },
  { file: 'license-members', table: 'license_member', owner: 'license' },
  { file: 'seats', table: 'seat', owner: 'license' },
  { file: 'trials', table: 'trial', owner: 'tenant' },
  { file: 'branding', table: 'branding', owner: 'tenant' },
  { file: 'purchases', table: 'purchase', owner: 'tenant' },
  { file: 'purchase-references', table: 'purchase_ref', owner: 'tenant' },
  { file: 'purchase-licenses', table: 'purchase_license', owner: 'purchase' },
  { file: 'unrelated-products', table: 'unrelated_product', owner: 'tenant' },
  { file: 'payment-customers', table: 'payment_customer', owner: 'tenant' },
  { file: 'payment-inbox', table: 'inbox_item', owner: 'tenant' },
];

/** Exported columns of the tables that have no entity, since only the roll-up's SQL writes them. */
const WITHOUT_ENTITY: Readonly<Record<string, Pick<ExportedTable, 'key' | 'columns'>>> = {
  stat_total: {
    key: ['day'],
    columns: [
      'extension_id',
      't.day::text as day',
      't.active::float8 as active',
      't.new::float8 as new',
      't.unique7::float8 as unique7',
      't.unique28::float8 as unique28',
    ],
  },
  stat_day: {
    key: ['day', 'dimension', 'value'],
    columns: [
      'extension_id',
      't.day::text as day',
      'dimension',
      'value',
      't.installs::float8 as installs',
      't.new::float8 as new',
    ],
  },
};

/** Returns what an export contains, file by file. */
export const exportedTables = (entities: readonly EntityMetadata[]): readonly ExportedTable[] =>
  FILES.map((file) => {
    const entity = entities.find(({ tableName }) => tableName === file.table);
    if (entity !== undefined) return exportedTable(file, entity);
    const fixed = WITHOUT_ENTITY[file.table];
    if (fixed === undefined) throw new Error(`No entity has the table ${file.table}`);
    return { ...file, ...fixed };
  });
