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

type StoredPing = Omit<CountedPing, 'client'> & Client;

/** Column and type of each member, the extension first. */
const COLUMNS: Readonly<Record<keyof StoredPing, readonly [name: string, type: string]>> = {
  extensionId: ['extension_id', 'uuid'],
  day: ['day', 'date'],
  install: ['install', 'uuid'],
  version: ['version', 'text'],
  language: ['language', 'text'],
  browser: ['browser', 'text'],
  browserMajor: ['browser_major', 'integer'],
  os: ['os', 'text'],
  country: ['country', 'text'],
  store: ['store', 'text'],
  licensed: ['licensed', 'boolean'],
};
const MEMBERS = Object.keys(COLUMNS) as readonly (keyof StoredPing)[];
const NAMES = Object.values(COLUMNS)
  .map(([name]) => name)
  .join(', ');
const ARRAYS = Object.values(COLUMNS)
  .map(([, type], at) => `$${at + 1}::${type}[]`)
  .join(', ');

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
    insert into install_day (${NAMES})
    select ${NAMES}
      from unnest(${ARRAYS})
           with ordinality as ping (${NAMES}, place)
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
    const stored = pings.map(({ client, ...ping }): StoredPing => ({ ...ping, ...client }));
    const valueOf = (ping: StoredPing, member: keyof StoredPing): string | number | null => {
      const value = ping[member];
      return typeof value === 'boolean' ? String(value) : value;
    };
    const rows = await this.tx.preparedArrays<readonly [string, string]>(
      COUNT,
      MEMBERS.map((member) => arrayText(stored.map((ping) => valueOf(ping, member)))),
    );
    const counted = new Set(rows.map(([extensionId, install]) => `${extensionId} ${install}`));
    // Of two equal pings in one batch only the first counts.
    return pings.map(({ extensionId, install }) => counted.delete(`${extensionId} ${install}`));
  }
}
