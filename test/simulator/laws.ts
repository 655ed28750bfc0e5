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

  create function sim.has_an_owner() returns trigger language plpgsql as $$
  begin
    if not exists (select from membership where tenant_id = old.tenant_id and role = 'owner') then
      insert into sim.broken values ('A tenant has no owner');
    end if;
    return null;
  end $$;
  create trigger sim_has_an_owner after update or delete on membership for each row execute function sim.has_an_owner();
`;
