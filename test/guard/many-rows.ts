import { DataSource, PROCESSOR_IDS, STORE_IDS, type World } from '../support/app.js';

/** SQL of a column of a copy, by its name; `n` numbers the copies. Columns that are not named are copied as they are. */
type Differences = Readonly<Record<string, string>>;

/**
 * Another of the same parent for each copy of a row of `child`, so that children which share what they refer to are none of them alike. The
 * parents are listed once, as what does not depend on the copy.
 */
const nth = (child: string, table: string, parent: string): string => {
  const siblings = `from ${table} as other where other.${parent} = (select ${parent} from ${child} where id = $1)`;
  return `(array(select id ${siblings} order by id))[1 + n % (select count(*) ${siblings})]`;
};

/** What a tenant has many of, parents before children, and how each differs from the next: as the schema wants it, and in what it refers to. */
const CROWDS = {
  extension: { name: "name || ' ' || n", name_key: "name_key || ' ' || n" },
  event: { kind: "(array['pinned', 'license_issued'])[1 + n % 2]" },
  credential: {},
  session: { secret_hash: "secret_hash || ' ' || n" },
  access_token: {},
  ci_trust_rule: {},
  tenant_user: { email: "n || '-' || email" },
  membership: {
    user_id:
      "(select copy.id from tenant_user as copy join tenant_user as one on copy.email = n || '-' || one.email where one.id = source.user_id)",
  },
  invitation: { email: "n || '-' || email", secret_digest: 'secret_digest || n' },
  user_identity: { issuer: 'issuer || n', subject: 'subject || n' },
  tenant_export: { state: "'failed'" },
  target: {},
  store_review: {
    store_review_id: "store_review_id || ' ' || n",
    target_id: `(select id from target as other where other.extension_id = source.extension_id
                    and store = (array['${STORE_IDS.join("', '")}'])[1 + n % ${STORE_IDS.length}] order by id limit 1)`,
    read_at: 'case when n % 3 = 0 then created_at end',
    answer: "case when n % 5 = 1 then 'Thank you.' end",
    answer_state: "case when n % 5 = 1 then 'published' end",
  },
  artifact: {
    version: "version || '.' || n",
    store_version: "store_version || '.' || n",
    // The copies' ids are in no order, and one of them must not become what is pinned now.
    pinned_at: 'pinned_at - make_interval(days => n)',
  },
  approval: {
    version: "version || '.' || n",
    artifact_id:
      "(select copy.id from artifact as copy where copy.extension_id = source.extension_id and copy.version = source.version || '.' || n)",
    state: "(array['waiting', 'approved', 'rejected', 'withdrawn'])[1 + n % 4]",
  },
  release: { version: "version || '.' || n", target_id: nth('release', 'target', 'extension_id') },
  plan: { tier: "tier || ' ' || n", trial_days: 'null' },
  plan_product: { product_id: "product_id || ' ' || n" },
  license: {
    revoked_at: 'case when n % 4 = 1 then created_at end',
    suspended_for: "case when n % 4 = 2 then '{tenant}' else suspended_for end",
    expires_at: 'case when n % 4 = 3 then created_at end',
    is_test: 'n % 5 = 0',
    campaign: "'campaign ' || n",
    code_digest: "sha256(code_digest || convert_to(n::text, 'UTF8'))",
    plan_id: nth('license', 'plan', 'extension_id'),
  },
  license_member: {
    email: "n || '-' || email",
    code_digest: "sha256(code_digest || convert_to(n::text, 'UTF8'))",
  },
  license_import: { state: "'done'" },
  seat: { fingerprint_digest: "sha256(fingerprint_digest || convert_to(n::text, 'UTF8'))" },
  trial: {
    fingerprint_digest: "sha256(fingerprint_digest || convert_to(n::text, 'UTF8'))",
    email_digest: 'null',
    ends_at: 'case when n % 3 = 1 then started_at else ends_at end',
    converted_at: 'case when n % 3 = 2 then started_at end',
  },
  notification_endpoint: {},
  notification: {},
  notification_delivery: {
    status: "(array['waiting', 'delivered', 'given_up'])[1 + n % 3]",
    next_try_at: 'null',
    endpoint_id: nth('notification_delivery', 'notification_endpoint', 'tenant_id'),
    notification_id: nth('notification_delivery', 'notification', 'tenant_id'),
  },
  delivery_attempt: {},
  purchase: { processor: `(array['${PROCESSOR_IDS.join("', '")}'])[1 + (n / 4) % ${PROCESSOR_IDS.length}]` },
  inbox_item: {
    event_key: "event_key || ' ' || n",
    // One order has many, and each other one some; what is ignored is about none.
    purchase_id: `case when n % 5 = 1 then null when n % 2 = 0 then (select purchase_id from purchase_ref where tenant_id = source.tenant_id order by purchase_id limit 1)
                       else ${nth('inbox_item', 'purchase', 'tenant_id')} end`,
    status: "(array['handled', 'ignored', 'unmapped', 'waiting', 'received'])[1 + n % 5]",
    processor: `(array['${PROCESSOR_IDS.join("', '")}'])[1 + (n / 4) % ${PROCESSOR_IDS.length}]`,
  },
  unrelated_product: { product_id: "product_id || ' ' || n" },
} as const satisfies Readonly<Record<string, Differences>>;
type Table = keyof typeof CROWDS;

/** Which row is copied: of the tenant $1 or their extension $2. The target is one that is switched off: a store is asked for each of the others. */
const ORIGINALS: Readonly<Record<Table, string>> = {
  extension: 'id = $2',
  event: 'extension_id = $2',
  credential: "tenant_id = $1 and store = 'chrome'",
  session: 'tenant_id = $1',
  access_token: 'tenant_id = $1',
  ci_trust_rule: 'tenant_id = $1',
  tenant_user: 'id in (select user_id from membership where tenant_id = $1)',
  membership: 'tenant_id = $1',
  invitation: 'tenant_id = $1',
  user_identity: 'user_id in (select user_id from membership where tenant_id = $1)',
  tenant_export: 'tenant_id = $1',
  target: 'extension_id = $2 and not enabled',
  store_review: 'tenant_id = $1',
  artifact: 'extension_id = $2',
  approval: 'extension_id = $2',
  release: 'extension_id = $2',
  plan: 'extension_id = $2',
  plan_product: 'tenant_id = $1',
  license: 'tenant_id = $1',
  license_member: 'license_id in (select id from license where tenant_id = $1)',
  license_import: 'tenant_id = $1',
  seat: 'license_id in (select id from license where tenant_id = $1)',
  trial: 'tenant_id = $1',
  notification_endpoint: 'tenant_id = $1',
  notification: 'tenant_id = $1',
  notification_delivery: 'tenant_id = $1',
  delivery_attempt: 'tenant_id = $1',
  purchase: 'tenant_id = $1 and ordered_at is not null',
  inbox_item: 'tenant_id = $1',
  unrelated_product: 'tenant_id = $1',
};

/** Makes many of what a tenant has one of, below the same parents: by SQL, since thousands of requests would take minutes. */
export class ManyRows {
  private made = 0;
  private readonly source: DataSource;
  private readonly originals = new Map<Table, string>();

  constructor(
    world: World,
    private readonly owner: { readonly tenantId: string; readonly extensionId: string },
  ) {
    this.source = world.app.get(DataSource);
  }

  /** Sees to it that there are so many copies of each. */
  async grow(copies: number): Promise<void> {
    for (const table of Object.keys(CROWDS) as Table[]) {
      await this.copy(table, await this.original(table), copies, {}, this.made + 1);
    }
    this.made = copies;
  }

  /** The row of a table that is copied, always the same; or the one of which another condition is true. */
  async original(table: Table, where: string = ORIGINALS[table]): Promise<string> {
    const known = where === ORIGINALS[table] ? this.originals.get(table) : undefined;
    const found = known ?? (await this.found(table, where));
    // The ids of copies are random, and a copy that was changed may come before the original.
    if (where === ORIGINALS[table]) this.originals.set(table, found);
    return found;
  }

  private async found(table: Table, where: string): Promise<string> {
    const { tenantId, extensionId } = this.owner;
    const [row] = await this.source.query<{ readonly id: string }[]>(
      `select id from ${table}, (select $1::uuid, $2::uuid) as given where ${where} order by id limit 1`,
      [tenantId, extensionId],
    );
    if (row === undefined) throw new Error(`The resources has no ${table}`);
    return row.id;
  }

  private columnsOf(table: string): readonly string[] {
    const metadata = this.source.entityMetadatas.find(({ tableName }) => tableName === table);
    const stored = metadata?.columns.filter(({ isVirtualProperty }) => !isVirtualProperty) ?? [];
    return stored.map(({ databaseName }) => databaseName);
  }

  private async copyStatus(targetId: string, copies: readonly string[]): Promise<void> {
    const columns = this.columnsOf('target_status').filter((name) => name !== 'target_id');
    await this.source.query(
      `insert into target_status (target_id, ${columns.join(', ')})
       select copy, ${columns.join(', ')} from target_status, unnest($2::uuid[]) as copy where target_id = $1`,
      [targetId, copies],
    );
  }

  /** Gives purchases a license of the extension. */
  private async license(purchases: readonly string[]): Promise<void> {
    await this.source.query(
      `insert into purchase_license (purchase_id, position, plan_id, units, is_once, products, license_id)
       select copy, 1, plan_id, 1, false, '{}', id from unnest($1::uuid[]) as copy,
         (select id, plan_id from license where extension_id = $2 order by id limit 1) as one`,
      [purchases, this.owner.extensionId],
    );
  }

  /** Copies one row. @param differences further ones, as SQL by column @returns the ids of the copies */
  async copy(
    table: Table,
    id: string,
    copies: number,
    differences: Differences = {},
    from = 1,
  ): Promise<readonly string[]> {
    const all: Differences = { id: 'gen_random_uuid()', ...CROWDS[table], ...differences };
    const columns = this.columnsOf(table);
    const made = await this.source.query<{ readonly id: string }[]>(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.map((column) => all[column] ?? column).join(', ')}
         from ${table} as source, generate_series($2::integer, $3::integer) as n where source.id = $1 returning id`,
      [id, from, copies],
    );
    const ids = made.map(({ id: copy }) => copy);
    if (table === 'target') await this.copyStatus(id, ids);
    if (table === 'purchase') await this.license(ids);
    return ids;
  }
}
