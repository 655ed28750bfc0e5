import { Injectable } from '@nestjs/common';
import { arrayText, Transactions } from '../../common/database/index.js';
import type { Client } from '../../common/http/index.js';
import type { Day } from '../days.js';

/** A ping as it is counted. One that must not count has `NIL_ID` as its extension, and is processed in the same way. */
export interface CountedPing {
  readonly extensionId: string;
  readonly day: Day;
  readonly install: string;
  readonly version: string;
  readonly language: string | null;
  readonly client: Client;
  readonly country: string | null;
  readonly store: string | null;
  readonly licensed: boolean | null;
}

/**
 * Raw SQL: one statement and one commit for all pings of a batch. Its lock makes a batch and a deletion of an extension wait for each
 * other; keys are sorted, so that two batches cannot deadlock. The first ping of a day counts, also within the batch.
 */
const COUNT = {
  name: 'count_pings',
  text: `
    with counting as materialized (
      select id from extension where id = any($1::uuid[]) and analytics_enabled order by id for key share
    )
    insert into install_day (extension_id, day, install, version, language, browser, browser_major, os, country, store, licensed)
    select ping.extension_id, ping.day, ping.install, version, language, browser, browser_major, os, country, store, licensed
      from unnest($1::uuid[], $2::date[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[],
                  $10::text[], $11::boolean[])
           with ordinality as ping (extension_id, day, install, version, language, browser, browser_major, os, country, store, licensed, place)
      join counting on counting.id = ping.extension_id
     order by ping.extension_id, ping.day, ping.install, ping.place
    on conflict do nothing
    returning extension_id, install`,
};

/** The installs of each day. */
@Injectable()
export class PingsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Counts the pings of a batch; returns for each whether it was the first of its install and day. */
  async count(pings: readonly CountedPing[]): Promise<readonly boolean[]> {
    const column = (of: (ping: CountedPing) => string | number | null): string => arrayText(pings.map(of));
    const rows = await this.tx.preparedArrays<readonly [string, string]>(COUNT, [
      column(({ extensionId }) => extensionId),
      column(({ day }) => day),
      column(({ install }) => install),
      column(({ version }) => version),
      column(({ language }) => language),
      column(({ client }) => client.browser),
      column(({ client }) => client.browserMajor),
      column(({ client }) => client.os),
      column(({ country }) => country),
      column(({ store }) => store),
      column(({ licensed }) => (licensed === null ? null : String(licensed))),
    ]);
    const counted = new Set(rows.map(([extensionId, install]) => `${extensionId} ${install}`));
    // Of two equal pings in one batch only the first counts.
    return pings.map(({ extensionId, install }) => counted.delete(`${extensionId} ${install}`));
  }
}
