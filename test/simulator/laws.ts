/** What the service promises. Each is judged wherever it could be broken, and `npm run sim:mutations` has a mistake that breaks it. */
const LAWS = [
  'everybody gets an answer',
  'every answer is one that was expected',
  // Publishing
  'nothing is sent while its target is paused',
  'each version is submitted once',
  'stores have what was pushed',
  'the last version reaches its users',
  'no share of users falls',
  'no worker takes a row of another',
  // Approvals
  'nothing is sent before somebody approves it',
  'stores have only what may be there',
  'an approval names who asked',
  'a decision stands',
  'a decision is recorded once',
  'nobody decides about their own version',
  'no token decides',
  'two who may publish can require approvals',
  // Selling
  'each sale makes one license',
  'a license is as it was paid',
  'a license has the plan that was bought',
  'purchases change under the lock of their seller',
  'the newest code seats a device',
  'a replaced code seats no device',
  'no row has a license code',
  'nothing names a buyer who was erased',
  // Mails
  'one mail comes for each reason',
  'a buyer has the code',
  'a mail that is marked as sent was taken',
  'a mail is given up only in the end',
  'one message id has one mail',
  'a code is mailed to its buyer only',
  // Devices
  'no license has more devices than seats',
  'seats change under the lock of their license',
  'a device keeps its seat',
  'a seat that was given back is free',
  'an install counts once a day',
  // The team, and who watches
  'people can do what their role allows',
  'nobody can do more than their role allows',
  'a tenant keeps an owner',
  'every webhook arrives',
  'a webhook that was taken is not sent again',
  'a version is told to be live once',
  'nothing that is due waits for days',
  'what was acknowledged stands in the audit log',
  'what others read has no secret',
] as const;

export type Law = (typeof LAWS)[number];

/** A law was broken. */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';

  constructor(
    readonly law: Law,
    how: string,
    options?: ErrorOptions,
  ) {
    super(how, options);
  }
}

/** Counts how often each law was judged: one that never is would hold whatever the service did. */
export class Judgements {
  private readonly counts = new Map<Law, number>(LAWS.map((law) => [law, 0]));

  /** @throws LawBroken unless the law is kept */
  judge(law: Law, isKept: boolean, how: string): void {
    this.count(law, 1);
    if (!isKept) throw new LawBroken(law, how);
  }

  count(law: Law, times: number): void {
    this.counts.set(law, (this.counts.get(law) ?? 0) + times);
  }

  get all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }
}

/** The laws that triggers judge, by the names of these and of the sequences that count how often they did. */
const ROW_LAWS = {
  one_worker: 'no worker takes a row of another',
  license_is_locked: 'seats change under the lock of their license',
  seller_is_locked: 'purchases change under the lock of their seller',
  share_never_falls: 'no share of users falls',
  sent_by_two: 'nothing is sent before somebody approves it',
  stands: 'a decision stands',
  by_another: 'nobody decides about their own version',
  has_an_owner: 'a tenant keeps an owner',
} as const satisfies Readonly<Record<string, Law>>;

interface BrokenRow {
  readonly law: keyof typeof ROW_LAWS;
  readonly how: string;
}

type Look = <T>(sql: string) => Promise<readonly T[] | null>;

/** @throws LawBroken when a statement broke a law about rows */
export async function lookForBrokenRows(look: Look): Promise<void> {
  const [broken] = (await look<BrokenRow>('select law, how from sim.broken')) ?? [];
  if (broken !== undefined) throw new LawBroken(ROW_LAWS[broken.law], broken.how);
}

/** Counts how often the laws about rows were judged. A sequence counts also what a transaction did that was rolled back. */
export async function countRowLaws(look: Look, judgements: Judgements): Promise<void> {
  const counted = await look<{ readonly law: keyof typeof ROW_LAWS; readonly times: number }>(
    `select sequencename as law, coalesce(last_value, 0)::int as times from pg_sequences where schemaname = 'sim'`,
  );
  for (const { law, times } of counted ?? []) judgements.count(ROW_LAWS[law], times);
}

/**
 * Laws about single rows, as triggers: which statement breaks one is known as it runs, and not only by what comes of it. What they find stands
 * in `sim.broken`.
 */
export const ROW_LAWS_SQL = `
  create schema sim;
  create table sim.broken (law text not null, how text not null);
  ${Object.keys(ROW_LAWS)
    .map((law) => `create sequence sim.${law};`)
    .join('\n  ')}

  create function sim.one_worker() returns trigger language plpgsql as $$
  begin
    if new.lease_token is distinct from old.lease_token and new.lease_token is not null then
      perform nextval('sim.one_worker');
      if old.lease_until > now() then
        insert into sim.broken values ('one_worker', 'A worker took a row of ' || tg_table_name || ' from another');
      end if;
    end if;
    return new;
  end $$;
  do $$
  declare locked text;
  begin
    for locked in select table_name from information_schema.columns where table_schema = 'public' and column_name = 'lease_token' loop
      execute format('create trigger sim_one_worker before update on %I for each row execute function sim.one_worker()', locked);
    end loop;
  end $$;

  create function sim.license_is_locked() returns trigger language plpgsql as $$
  declare own text := (pg_current_xact_id()::text::bigint % 4294967296)::text;
  begin
    perform nextval('sim.license_is_locked');
    if not exists (select from license where id = new.license_id and own in (xmin::text, xmax::text)) then
      insert into sim.broken values ('license_is_locked', 'A device took or gave back a seat of a license that was not locked');
    end if;
    return new;
  end $$;
  create trigger sim_license_is_locked before insert or update of ended_at on seat
    for each row execute function sim.license_is_locked();

  create function sim.seller_is_locked() returns trigger language plpgsql as $$
  begin
    perform nextval('sim.seller_is_locked');
    if not exists (select from pg_locks where locktype = 'advisory' and granted) then
      insert into sim.broken values ('seller_is_locked', 'A purchase was changed while its seller was not locked');
    end if;
    return new;
  end $$;
  create trigger sim_seller_is_locked before insert or update on purchase for each row execute function sim.seller_is_locked();

  create function sim.share_never_falls() returns trigger language plpgsql as $$
  begin
    if new.rollout is distinct from old.rollout and old.rollout is not null then
      perform nextval('sim.share_never_falls');
    end if;
    if (new.rollout->>'percent')::numeric < (old.rollout->>'percent')::numeric then
      insert into sim.broken values ('share_never_falls', 'A version was offered to a smaller share of users than before');
    end if;
    return new;
  end $$;
  create trigger sim_share_never_falls before update on release for each row execute function sim.share_never_falls();

  create function sim.sent_by_two() returns trigger language plpgsql as $$
  begin
    if new.intent is distinct from old.intent and new.intent->>'step' in ('upload', 'submit', 'rollback')
      and exists (
        select from target self join target other on other.store = self.store and other.item_key = self.item_key
          join extension on extension.id = other.extension_id and approval_required
         where self.id = new.target_id)
    then
      perform nextval('sim.sent_by_two');
      if not exists (
        select from approval join artifact on artifact.id = artifact_id
         where artifact_id = new.artifact_id and approval.state = 'approved' and approval.sha256 is not distinct from artifact.sha256
           and approval.rollback_of is not distinct from artifact.rollback_of and coalesce(approval.target_id, new.target_id) = new.target_id)
      then
        insert into sim.broken values ('sent_by_two', 'A version was sent that nobody had approved');
      end if;
    end if;
    return new;
  end $$;
  create trigger sim_sent_by_two before insert or update of intent on release for each row execute function sim.sent_by_two();

  create function sim.decided_once() returns trigger language plpgsql as $$
  begin
    if new.state <> old.state then
      perform nextval('sim.stands');
    end if;
    if old.state in ('approved', 'withdrawn') and new.state <> old.state or old.state = 'rejected' and new.state = 'approved' then
      insert into sim.broken values ('stands', 'A version that was ' || old.state || ' is ' || new.state);
    end if;
    if new.state in ('approved', 'rejected') then
      perform nextval('sim.by_another');
      if new.decided_by_id is null or new.decided_by_id = new.requested_by_id then
        insert into sim.broken values ('by_another', 'Somebody decided about their own version');
      end if;
    end if;
    return new;
  end $$;
  create trigger sim_decided_once before update on approval for each row execute function sim.decided_once();

  create function sim.has_an_owner() returns trigger language plpgsql as $$
  begin
    perform nextval('sim.has_an_owner');
    if not exists (select from membership where tenant_id = old.tenant_id and role = 'owner') then
      insert into sim.broken values ('has_an_owner', 'A tenant has no owner');
    end if;
    return null;
  end $$;
  create trigger sim_has_an_owner after update or delete on membership for each row execute function sim.has_an_owner();
`;
