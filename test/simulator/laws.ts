/**
 * Laws about single rows, as triggers: which statement breaks one is known as it runs, and not only by what comes of it. What they find stands
 * in `sim.broken`.
 */
export const ROW_LAWS = `
  create schema sim;
  create table sim.broken (law text not null);

  create function sim.one_worker() returns trigger language plpgsql as $$
  begin
    if new.lease_token is distinct from old.lease_token and old.lease_until > now() and new.lease_token is not null then
      insert into sim.broken values ('A worker took a row of ' || tg_table_name || ' from another');
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
    if not exists (select from license where id = new.license_id and own in (xmin::text, xmax::text)) then
      insert into sim.broken values ('A device took or gave back a seat of a license that was not locked');
    end if;
    return new;
  end $$;
  create trigger sim_license_is_locked before insert or update of ended_at on seat
    for each row execute function sim.license_is_locked();

  create function sim.seller_is_locked() returns trigger language plpgsql as $$
  begin
    if not exists (select from pg_locks where locktype = 'advisory' and granted) then
      insert into sim.broken values ('A purchase was changed while its seller was not locked');
    end if;
    return new;
  end $$;
  create trigger sim_seller_is_locked before insert or update on purchase for each row execute function sim.seller_is_locked();

  create function sim.share_never_falls() returns trigger language plpgsql as $$
  begin
    if (new.rollout->>'percent')::numeric < (old.rollout->>'percent')::numeric then
      insert into sim.broken values ('A version was offered to a smaller share of users than before');
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
      and not exists (
        select from approval join artifact on artifact.id = artifact_id
         where artifact_id = new.artifact_id and approval.state = 'approved' and approval.sha256 is not distinct from artifact.sha256
           and approval.rollback_of is not distinct from artifact.rollback_of and coalesce(approval.target_id, new.target_id) = new.target_id)
    then
      insert into sim.broken values ('A version was sent that nobody had approved');
    end if;
    return new;
  end $$;
  create trigger sim_sent_by_two before insert or update of intent on release for each row execute function sim.sent_by_two();

  create function sim.decided_once() returns trigger language plpgsql as $$
  begin
    if old.state in ('approved', 'withdrawn') and new.state <> old.state or old.state = 'rejected' and new.state = 'approved' then
      insert into sim.broken values ('A version that was ' || old.state || ' is ' || new.state);
    end if;
    if new.state in ('approved', 'rejected') and (new.decided_by_id is null or new.decided_by_id = new.requested_by_id) then
      insert into sim.broken values ('Somebody decided about their own version');
    end if;
    return new;
  end $$;
  create trigger sim_decided_once before update on approval for each row execute function sim.decided_once();

  create function sim.has_an_owner() returns trigger language plpgsql as $$
  begin
    if not exists (select from membership where tenant_id = old.tenant_id and role = 'owner') then
      insert into sim.broken values ('A tenant has no owner');
    end if;
    return null;
  end $$;
  create trigger sim_has_an_owner after update or delete on membership for each row execute function sim.has_an_owner();
`;
