import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The whole schema, from tenants to mails. A table stands after those that it refers to, and its indexes after it. */
const UP: readonly string[] = [
  // People, and how they prove who they are
  `create table tenant (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    name text not null,
    plan text not null,
    constraint tenant_pkey primary key (id)
  )`,
  `create table tenant_user (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    email text not null,
    password_hash text not null,
    constraint tenant_user_pkey primary key (id),
    constraint tenant_user_email_key unique (email),
    constraint tenant_user_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create table session (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    user_id uuid not null,
    secret_hash text not null,
    expires_at timestamptz not null,
    constraint session_pkey primary key (id),
    constraint session_secret_hash_key unique (secret_hash),
    constraint session_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade
  )`,
  `create index session_user_id_idx on session (user_id)`,
  `create table access_token (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    session_id uuid,
    name text not null,
    scopes text[] not null,
    last_four text not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    constraint access_token_pkey primary key (id),
    constraint access_token_session_id_fkey foreign key (session_id) references session(id) on delete cascade,
    constraint access_token_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index access_token_session_id_idx on access_token (session_id)`,
  `create index access_token_tenant_id_id_idx on access_token (tenant_id, id)`,
  // Keys that something stored was sealed or digested with, so that a lost one is noticed at start
  `create table key_fingerprint (
    setting text not null,
    key_id text not null,
    fingerprint bytea,
    constraint key_fingerprint_pkey primary key (setting, key_id)
  )`,
  // Extensions and their timeline
  `create table extension (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    name text not null,
    name_key text not null,
    licensing_enabled boolean not null,
    seat_idle_days integer,
    offline_grace_days integer not null,
    analytics_enabled boolean not null,
    constraint extension_pkey primary key (id),
    constraint extension_tenant_id_name_key_key unique (tenant_id, name_key),
    constraint extension_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index extension_tenant_id_id_idx on extension (tenant_id, id)`,
  `create table event (
    id uuid not null,
    extension_id uuid not null,
    at timestamptz not null,
    target_id uuid,
    version text,
    kind text not null,
    message text not null,
    data jsonb,
    constraint event_pkey primary key (id),
    constraint event_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create index event_extension_id_id_idx on event (extension_id, id)`,
  // Publishing: accounts at stores, targets, packages, and each version's way to each store
  `create table credential (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    store text not null,
    label text,
    expires_at timestamptz,
    last_four text not null,
    verified_at timestamptz not null,
    identity text not null,
    sealed text not null,
    constraint credential_pkey primary key (id),
    constraint credential_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index credential_tenant_id_id_idx on credential (tenant_id, id)`,
  `create table target (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    store text not null,
    store_item_id text,
    crx_id text,
    credential_id uuid,
    enabled boolean not null,
    enabled_at timestamptz,
    platforms text[] not null,
    channel text not null,
    on_pending text not null,
    release_mode text not null,
    release_requested text,
    rollout_percent integer,
    release_notes text,
    skip_review boolean not null,
    paused boolean not null,
    tracks jsonb not null,
    revision integer not null,
    phase text not null,
    message text not null,
    desired_version text,
    live_version text,
    submitted_version text,
    checked_at timestamptz,
    next_check_at timestamptz,
    not_before timestamptz,
    failures integer not null,
    looks integer not null,
    lease_token uuid,
    lease_until timestamptz,
    lease_boot uuid,
    item_key text,
    encryption text,
    reviewer_notes text,
    tenant_id uuid,
    waiting_since timestamptz,
    stall_told_at timestamptz,
    constraint target_pkey primary key (id),
    constraint target_extension_id_store_store_item_id_channel_key unique (extension_id, store, store_item_id, channel),
    constraint target_credential_id_fkey foreign key (credential_id) references credential(id) on delete restrict,
    constraint target_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create index target_credential_id_idx on target (credential_id)`,
  `create index target_due_idx on target (next_check_at) where (next_check_at is not null)`,
  `create unique index target_enabled_item_idx on target (tenant_id, store, item_key) where enabled`,
  `create index target_extension_id_idx on target (extension_id)`,
  `create table blob (
    id uuid not null,
    sha256 text not null,
    key text not null,
    constraint blob_pkey primary key (id),
    constraint blob_sha256_key unique (sha256)
  )`,
  `create table artifact (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    version text not null,
    store_version text not null,
    scope text not null,
    blob_id uuid,
    sha256 text,
    size integer,
    manifest jsonb,
    notes text,
    source_blob_id uuid,
    source_sha256 text,
    source_size integer,
    rollback_of text,
    rollback_reason text,
    pinned_at timestamptz not null,
    handed_over_at timestamptz,
    handed_to text[] not null default '{}'::text[],
    reviewer_notes text,
    constraint artifact_pkey primary key (id),
    constraint artifact_extension_id_version_scope_key unique (extension_id, version, scope),
    constraint artifact_blob_id_fkey foreign key (blob_id) references blob(id) on delete restrict,
    constraint artifact_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade,
    constraint artifact_source_blob_id_fkey foreign key (source_blob_id) references blob(id) on delete restrict
  )`,
  `create index artifact_blob_id_idx on artifact (blob_id)`,
  `create index artifact_extension_id_pinned_at_idx on artifact (extension_id, pinned_at)`,
  `create index artifact_source_blob_id_idx on artifact (source_blob_id)`,
  `create table release (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    target_id uuid not null,
    artifact_id uuid not null,
    store_item_id text not null,
    platform text,
    version text not null,
    state text not null,
    state_at timestamptz not null,
    is_ours boolean not null,
    verdict_before text,
    handles jsonb not null,
    intent jsonb,
    reminded_at timestamptz,
    rollout jsonb,
    channel text not null default '',
    refusal jsonb,
    constraint release_pkey primary key (id),
    constraint release_artifact_id_fkey foreign key (artifact_id) references artifact(id) on delete cascade,
    constraint release_target_id_fkey foreign key (target_id) references target(id) on delete cascade
  )`,
  `create index release_artifact_id_idx on release (artifact_id)`,
  `create index release_extension_id_id_idx on release (extension_id, id)`,
  `create index release_extension_id_version_id_idx on release (extension_id, version, id)`,
  `create index release_target_id_id_idx on release (target_id, id)`,
  // What a credential may still ask of its store
  `create table store_budget (
    credential_id uuid not null,
    window_at timestamptz not null,
    used integer not null,
    not_before timestamptz,
    uploads_not_before timestamptz,
    writes_not_before timestamptz,
    constraint store_budget_pkey primary key (credential_id),
    constraint store_budget_credential_id_fkey foreign key (credential_id) references credential(id) on delete cascade
  )`,
  // Licensing: plans, licenses, seats, and the keys that sign leases
  `create table plan (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    tier text not null,
    max_activations integer not null,
    constraint plan_pkey primary key (id),
    constraint plan_extension_id_tier_key unique (extension_id, tier),
    constraint plan_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create table plan_product (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    plan_id uuid not null,
    processor text not null,
    product_id text not null,
    position integer not null,
    per_unit text not null default 'seats',
    constraint plan_product_pkey primary key (id),
    constraint plan_product_tenant_id_processor_product_id_key unique (tenant_id, processor, product_id),
    constraint plan_product_plan_id_fkey foreign key (plan_id) references plan(id) on delete cascade
  )`,
  `create index plan_product_plan_id_idx on plan_product (plan_id)`,
  `create table license (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    extension_id uuid not null,
    plan_id uuid not null,
    buyer_email text not null,
    code_digest bytea not null,
    code_pepper text not null,
    code_hint text not null,
    source text not null,
    revoked_at timestamptz,
    suspended_for text[] not null,
    expires_at timestamptz,
    max_activations integer,
    delivery text,
    delivery_id uuid,
    revoked_for text,
    constraint license_pkey primary key (id),
    constraint license_code_digest_key unique (code_digest),
    constraint license_extension_id_fkey foreign key (extension_id) references extension(id) on delete restrict,
    constraint license_plan_id_fkey foreign key (plan_id) references plan(id) on delete restrict,
    constraint license_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index license_buyer_email_id_idx on license (buyer_email, id)`,
  `create index license_delivery_id_idx on license (delivery_id) where (delivery_id is not null)`,
  `create index license_extension_id_id_idx on license (extension_id, id)`,
  `create index license_plan_id_idx on license (plan_id)`,
  `create index license_revoked_idx on license (tenant_id, id) where (revoked_at is not null)`,
  // Licenses that are neither revoked nor suspended: this index alone tells the expired from the active.
  `create index license_standing_idx on license (tenant_id, id, extension_id, expires_at) where ((revoked_at is null) and (suspended_for = '{}'::text[]))`,
  `create index license_suspended_idx on license (tenant_id, id) where ((revoked_at is null) and (suspended_for <> '{}'::text[]))`,
  `create index license_tenant_id_buyer_email_id_idx on license (tenant_id, buyer_email, id)`,
  `create index license_tenant_id_id_idx on license (tenant_id, id)`,
  `create unique index license_tenant_id_source_key on license (tenant_id, source) where (source <> 'manual')`,
  // A page is filled to 90 %, so that a heartbeat's new version of a row lies beside the old one and no index is written.
  `create table seat (
    id uuid not null,
    license_id uuid not null,
    fingerprint_digest bytea not null,
    label text,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    ended_at timestamptz,
    constraint seat_pkey primary key (id),
    constraint seat_license_id_fingerprint_digest_key unique (license_id, fingerprint_digest),
    constraint seat_license_id_fkey foreign key (license_id) references license(id) on delete cascade
  ) with (fillfactor = 90)`,
  `create index seat_live_idx on seat (license_id) where (ended_at is null)`,
  `create table lease_key (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    state text not null,
    public_key text not null,
    sealed text not null,
    constraint lease_key_pkey primary key (id),
    constraint lease_key_extension_id_state_key unique (extension_id, state),
    constraint lease_key_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  // Analytics. One row per install and UTC day, append-only; it has no foreign key, because a batch of pings locks its extensions itself.
  `create table install_day (
    extension_id uuid not null,
    day date not null,
    install uuid not null,
    version text not null,
    language text,
    browser text,
    browser_major integer,
    os text,
    country text,
    arrived bigint not null default ((pg_current_xact_id())::text)::bigint,
    constraint install_day_pkey primary key (extension_id, day, install)
  ) partition by range (day)`,
  // What the roll-up has not read yet: transactions from its watermark on.
  `create index install_day_arrived_idx on install_day (arrived)`,
  `create table analytics_day (
    day date not null,
    watermark bigint not null default 0,
    closed_at timestamptz,
    constraint analytics_day_pkey primary key (day)
  )`,
  `create index analytics_day_open_idx on analytics_day (day) where (closed_at is null)`,
  // No index on last_day, so that following an install never writes one.
  `create table install_seen (
    extension_id uuid not null,
    install uuid not null,
    last_day date not null,
    constraint install_seen_pkey primary key (extension_id, install),
    constraint install_seen_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  ) with (fillfactor = 90)`,
  // How many installs were last seen on which day: what 7 and 28 days of uniques are summed from.
  `create table install_last_day (
    extension_id uuid not null,
    last_day date not null,
    installs bigint not null,
    constraint install_last_day_pkey primary key (extension_id, last_day),
    constraint install_last_day_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create table stat_total (
    extension_id uuid not null,
    day date not null,
    active bigint not null,
    new bigint not null,
    unique7 bigint not null,
    unique28 bigint not null,
    constraint stat_total_pkey primary key (extension_id, day),
    constraint stat_total_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  // The value '' means unknown, because a primary key holds no null.
  `create table stat_day (
    extension_id uuid not null,
    day date not null,
    dimension text not null,
    value text not null,
    installs bigint not null,
    constraint stat_day_pkey primary key (extension_id, day, dimension, value),
    constraint stat_day_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  // The sums of a month's closed days, so that a report over a year reads a few thousand rows.
  `create table stat_month (
    extension_id uuid not null,
    month date not null,
    dimension text not null,
    value text not null,
    installs bigint not null,
    constraint stat_month_pkey primary key (extension_id, month, dimension, value),
    constraint stat_month_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  // Mails that wait to be sent
  `create table mail (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    purpose text not null,
    about_id uuid not null,
    state text not null,
    sealed text,
    worthless_at timestamptz,
    attempts integer not null,
    first_tried_at timestamptz,
    next_try_at timestamptz,
    last_status integer,
    last_error text,
    lease_token uuid,
    lease_until timestamptz,
    constraint mail_pkey primary key (id)
  )`,
  `create index mail_due_idx on mail (next_try_at) where (next_try_at is not null)`,
  `create index mail_purpose_about_id_idx on mail (purpose, about_id)`,
  `create index mail_settled_idx on mail (updated_at) where (state <> 'waiting')`,
  `create index mail_worthless_idx on mail (worthless_at) where (state = 'waiting')`,
  // Notifications: who is told, of what, and each attempt
  `create table notification_endpoint (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    kind text not null,
    url text,
    address text,
    events text[] not null,
    enabled boolean not null,
    disabled_because text,
    sealed text,
    former_until timestamptz,
    confirmed_at timestamptz,
    confirmation_digest text,
    confirmation_until timestamptz,
    constraint notification_endpoint_pkey primary key (id),
    constraint notification_endpoint_confirmation_digest_key unique (confirmation_digest),
    constraint notification_endpoint_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index notification_endpoint_tenant_id_id_idx on notification_endpoint (tenant_id, id)`,
  `create table notification (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    kind text not null,
    message text not null,
    extension_id uuid,
    extension_name text,
    target_id uuid,
    version text,
    credential_id uuid,
    once_key text,
    place jsonb,
    constraint notification_pkey primary key (id),
    constraint notification_once_key_key unique (once_key),
    constraint notification_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index notification_target_id_id_idx on notification (target_id, id)`,
  `create index notification_tenant_id_id_idx on notification (tenant_id, id)`,
  `create table notification_delivery (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    endpoint_id uuid not null,
    notification_id uuid not null,
    status text not null,
    attempts integer not null,
    failures integer not null,
    tried_since timestamptz,
    last_tried_at timestamptz,
    last_status integer,
    last_error text,
    next_try_at timestamptz,
    delivered_at timestamptz,
    lease_token uuid,
    lease_until timestamptz,
    constraint notification_delivery_pkey primary key (id),
    constraint notification_delivery_endpoint_id_fkey foreign key (endpoint_id) references notification_endpoint(id) on delete cascade,
    constraint notification_delivery_notification_id_fkey foreign key (notification_id) references notification(id) on delete cascade,
    constraint notification_delivery_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index notification_delivery_due_idx on notification_delivery (next_try_at) where (next_try_at is not null)`,
  `create index notification_delivery_endpoint_id_status_idx on notification_delivery (endpoint_id, status)`,
  // Which endpoints are being delivered to now.
  `create index notification_delivery_leased_idx on notification_delivery (endpoint_id) where (lease_until is not null)`,
  `create index notification_delivery_notification_id_idx on notification_delivery (notification_id)`,
  `create index notification_delivery_tenant_id_id_idx on notification_delivery (tenant_id, id)`,
  `create index notification_delivery_tenant_id_status_id_idx on notification_delivery (tenant_id, status, id)`,
  // Sales: purchases at a processor, the names it has for them, the licenses they pay for, and each event as it came
  `create table purchase (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    processor text not null,
    paid jsonb not null,
    customer_id text,
    issued_at timestamptz,
    license_id uuid,
    unmapped text,
    erased_at timestamptz,
    constraint purchase_pkey primary key (id),
    constraint purchase_license_id_fkey foreign key (license_id) references license(id) on delete set null,
    constraint purchase_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index purchase_erased_idx on purchase (tenant_id, processor, customer_id) where (erased_at is not null)`,
  `create index purchase_license_id_idx on purchase (license_id)`,
  `create index purchase_tenant_id_processor_customer_id_idx on purchase (tenant_id, processor, customer_id)`,
  `create table purchase_ref (
    tenant_id uuid not null,
    processor text not null,
    ref text not null,
    purchase_id uuid not null,
    constraint purchase_ref_pkey primary key (tenant_id, processor, ref),
    constraint purchase_ref_purchase_id_fkey foreign key (purchase_id) references purchase(id) on delete cascade
  )`,
  `create index purchase_ref_purchase_id_idx on purchase_ref (purchase_id)`,
  `create table purchase_license (
    purchase_id uuid not null,
    position integer not null,
    plan_id uuid,
    units integer not null,
    license_id uuid,
    ended_at timestamptz,
    constraint purchase_license_pkey primary key (purchase_id, "position"),
    constraint purchase_license_license_id_fkey foreign key (license_id) references license(id) on delete set null,
    constraint purchase_license_purchase_id_fkey foreign key (purchase_id) references purchase(id) on delete cascade
  )`,
  `create index purchase_license_license_id_idx on purchase_license (license_id)`,
  `create table payment_customer (
    tenant_id uuid not null,
    processor text not null,
    customer_id text not null,
    email text not null,
    said_at timestamptz not null,
    constraint payment_customer_pkey primary key (tenant_id, processor, customer_id),
    constraint payment_customer_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create table inbox_item (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    processor text not null,
    event_key text not null,
    kind text not null,
    happened_at timestamptz not null,
    is_test boolean not null,
    status text not null,
    reason text,
    payload text,
    purchase_id uuid,
    constraint inbox_item_pkey primary key (id),
    constraint inbox_item_tenant_id_processor_event_key_key unique (tenant_id, processor, event_key),
    constraint inbox_item_purchase_id_fkey foreign key (purchase_id) references purchase(id) on delete set null,
    constraint inbox_item_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index inbox_item_created_at_idx on inbox_item (created_at)`,
  `create index inbox_item_purchase_id_idx on inbox_item (purchase_id)`,
  `create index inbox_item_tenant_id_id_idx on inbox_item (tenant_id, id)`,
  `create index inbox_item_tenant_id_status_id_idx on inbox_item (tenant_id, status, id)`,
  // Codes on their way to a buyer, and the buyer's page
  `create table code_claim (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    license_id uuid not null,
    extension_id uuid not null,
    token_digest text,
    sealed text not null,
    expires_at timestamptz not null,
    constraint code_claim_pkey primary key (id),
    constraint code_claim_extension_id_token_digest_key unique (extension_id, token_digest),
    constraint code_claim_license_id_key unique (license_id),
    constraint code_claim_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade,
    constraint code_claim_license_id_fkey foreign key (license_id) references license(id) on delete cascade
  )`,
  `create index code_claim_expires_at_idx on code_claim (expires_at)`,
  `create table buyer_link (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    email text not null,
    secret_digest text not null,
    expires_at timestamptz not null,
    constraint buyer_link_pkey primary key (id),
    constraint buyer_link_secret_digest_key unique (secret_digest)
  )`,
  `create index buyer_link_expires_at_idx on buyer_link (expires_at)`,
  `create table buyer_session (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    email text not null,
    secret_digest text not null,
    expires_at timestamptz not null,
    constraint buyer_session_pkey primary key (id),
    constraint buyer_session_secret_digest_key unique (secret_digest)
  )`,
  `create index buyer_session_expires_at_idx on buyer_session (expires_at)`,
  // Seats one more device on a license that has a seat left.
  `CREATE OR REPLACE FUNCTION public.seat_device(the_extension uuid, digests bytea[], device bytea, device_label text, new_seat uuid, at timestamp with time zone, OUT key_id uuid, OUT grace_days integer, OUT license_id uuid, OUT expires_at timestamp with time zone, OUT code_pepper text, OUT tier text, OUT seat_idle_days integer, OUT max_activations integer, OUT used integer)
 RETURNS SETOF record
 LANGUAGE plpgsql
AS $function$
  declare
    holds_one boolean;
  begin
    select license.id into license_id from license
     where license.code_digest = any(digests) and license.extension_id = the_extension
       for no key update skip locked;
    if not found then return; end if;
    select lease_key.id, extension.offline_grace_days, license.expires_at, license.code_pepper, plan.tier, extension.seat_idle_days,
           coalesce(license.max_activations, plan.max_activations)
      into key_id, grace_days, expires_at, code_pepper, tier, seat_idle_days, max_activations
      from license
      join plan on plan.id = license.plan_id
      join extension on extension.id = license.extension_id and extension.licensing_enabled
      left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
     where license.id = seat_device.license_id and license.revoked_at is null and cardinality(license.suspended_for) = 0
       and (license.expires_at is null or license.expires_at > at);
    if not found then return; end if;
    select count(*), coalesce(bool_or(seat.fingerprint_digest = device), false) into used, holds_one
      from seat where seat.license_id = seat_device.license_id and seat.ended_at is null;
    if holds_one or used >= max_activations then return; end if;
    insert into seat (id, license_id, fingerprint_digest, label, first_seen_at, last_seen_at)
      values (new_seat, seat_device.license_id, device, device_label, at, at)
      on conflict on constraint seat_license_id_fingerprint_digest_key
      do update set ended_at = null, first_seen_at = at, last_seen_at = at, label = coalesce(excluded.label, seat.label);
    used := used + 1;
    return next;
  end $function$`,
];

/** Each table, those that refer to others first. */
const TABLES: readonly string[] = [
  'buyer_session',
  'buyer_link',
  'code_claim',
  'inbox_item',
  'payment_customer',
  'purchase_license',
  'purchase_ref',
  'purchase',
  'notification_delivery',
  'notification',
  'notification_endpoint',
  'mail',
  'stat_month',
  'stat_day',
  'stat_total',
  'install_last_day',
  'install_seen',
  'analytics_day',
  'install_day',
  'lease_key',
  'seat',
  'license',
  'plan_product',
  'plan',
  'store_budget',
  'release',
  'artifact',
  'blob',
  'target',
  'credential',
  'event',
  'extension',
  'key_fingerprint',
  'access_token',
  'session',
  'tenant_user',
  'tenant',
];

export class Schema1795000000000 implements MigrationInterface {
  name = 'Schema1795000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`drop table ${table}`);
    await runner.query('drop function seat_device');
  }
}
