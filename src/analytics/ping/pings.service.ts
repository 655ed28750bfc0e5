import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Batcher, arrayText, SHARING_STATEMENTS, Statements } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { ABSENT_ID, idOrAbsent } from '../../common/fields/index.js';
import { addressKey, RateLimits } from '../../common/access/index.js';
import type { PingInput } from '../analytics.dto.js';
import { dayOf, type Day } from '../days.js';
import { Partitions } from '../partitions.service.js';
import { CountryResolver } from './country.js';
import { InstallDigest } from './install-digest.js';
import { countedLanguage, countedVersion } from './ping-values.js';
import { clientOf, isBot, type Client } from './user-agent.js';

/** User-Agents whose reading is remembered, in memory alone. */
const MOST_CLIENTS = 500;

/** One ping, as it is counted. Whatever must not count has the id of no extension, and goes the same way. */
interface CountedPing {
  readonly extensionId: string;
  readonly day: Day;
  readonly install: string;
  readonly version: string;
  readonly language: string | null;
  readonly client: Client;
  readonly country: string | null;
}

/**
 * One commit for all pings of a batch. The lock on the extensions has a deletion wait for the batch, and the batch for a deletion; keys are
 * in order, so that two batches cannot block each other. The first of a day wins, also within the batch.
 */
const COUNT = {
  name: 'count_pings',
  text: `
    with counting as materialized (
      select id from extension where id = any($1::uuid[]) and analytics_enabled order by id for key share
    )
    insert into install_day (extension_id, day, install, version, language, browser, browser_major, os, country)
    select ping.extension_id, ping.day, ping.install, version, language, browser, browser_major, os, country
      from unnest($1::uuid[], $2::date[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[])
           with ordinality as ping (extension_id, day, install, version, language, browser, browser_major, os, country, place)
      join counting on counting.id = ping.extension_id
     order by ping.extension_id, ping.day, ping.install, ping.place
    on conflict do nothing
    returning extension_id, install`,
};

/** Takes pings: derives what is kept, counts the first of each install and UTC day, and answers all alike. */
@Injectable()
export class PingsService implements BeforeApplicationShutdown {
  private readonly clients = new Map<string, Client>();
  private readonly batcher = new Batcher<CountedPing, boolean>((pings) => this.count(pings), SHARING_STATEMENTS);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly statements: Statements,
    private readonly partitions: Partitions,
    private readonly digest: InstallDigest,
    private readonly countries: CountryResolver,
  ) {}

  /** Comes back once the ping has been committed, and alike whether it counted or not. @throws Overloaded */
  async receive(input: PingInput, ip: string, headers: IncomingHttpHeaders): Promise<void> {
    const { extensionId: given, installId, version, language } = input;
    const address = addressKey(ip);
    const day = dayOf(this.clock.now());
    await this.partitions.ready(day);

    const userAgent = headers['user-agent'];
    const extensionId = isBot(userAgent) ? ABSENT_ID : idOrAbsent(given);
    const sender = this.digest.senderOf(day, address, extensionId);
    const cap = { name: 'ping-installs', perDay: this.config.analyticsInstallsPerAddress };
    const isWithinCap = await this.limits.takeOfDay(cap, day, sender);
    const ping = {
      extensionId: isWithinCap ? extensionId : ABSENT_ID,
      day,
      install: this.digest.installOf(extensionId, installId),
      version: countedVersion(version),
      language: countedLanguage(language),
      client: this.clientOf(userAgent),
      country: this.countries.countryOf(headers, ip),
    };
    let isCounted = false;
    try {
      isCounted = await this.batcher.add(ping);
    } finally {
      // What was not counted, a failure included, leaves its place to another.
      if (isWithinCap && !isCounted) await this.limits.giveBackOfDay(cap, day, sender);
    }
  }

  /** Lets what was taken be committed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.batcher.drain();
  }

  private async count(pings: readonly CountedPing[]): Promise<readonly boolean[]> {
    const column = (of: (ping: CountedPing) => string | number | null): string => arrayText(pings.map(of));
    const rows = await this.statements.rows<readonly [string, string]>(COUNT, [
      column(({ extensionId }) => extensionId),
      column(({ day }) => day),
      column(({ install }) => install),
      column(({ version }) => version),
      column(({ language }) => language),
      column(({ client }) => client.browser),
      column(({ client }) => client.browserMajor),
      column(({ client }) => client.os),
      column(({ country }) => country),
    ]);
    const counted = new Set(rows.map(([extensionId, install]) => `${extensionId} ${install}`));
    // Of two alike in one batch the first has counted, and the other has not.
    return pings.map(({ extensionId, install }) => counted.delete(`${extensionId} ${install}`));
  }

  private clientOf(userAgent = ''): Client {
    const known = this.clients.get(userAgent);
    if (known !== undefined) return known;
    if (this.clients.size >= MOST_CLIENTS) this.clients.clear();
    const client = clientOf(userAgent);
    if (!isBot(userAgent)) this.clients.set(userAgent, client);
    return client;
  }
}
