import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Batcher, SHARING_STATEMENTS } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { NIL_ID, uuidOrNil } from '../../common/fields/index.js';
import { clientOf, CountryResolver, isBot, type Client, type RequestHeaders } from '../../common/http/index.js';
import { addressKey, RateLimits } from '../../common/access/index.js';
import type { PingInput } from '../analytics.dto.js';
import { dayOf } from '../days.js';
import { PartitionsRepository } from '../partitions.repository.js';
import { InstallDigest } from './install-digest.js';
import { countedLanguage, countedLicensed, countedStore, countedVersion } from './ping-values.js';
import { PingsRepository, type CountedPing } from './pings.repository.js';

/** Parsed User-Agents that are cached in memory. */
const MAX_CLIENTS = 500;

/** Receives pings and counts the first of each install and UTC day. All get the same answer. */
@Injectable()
export class PingsService implements BeforeApplicationShutdown {
  private readonly clients = new Map<string, Client>();
  private readonly batcher = new Batcher<CountedPing, boolean>((pings) => this.pings.count(pings), SHARING_STATEMENTS);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly pings: PingsRepository,
    private readonly partitions: PartitionsRepository,
    private readonly digest: InstallDigest,
    private readonly countries: CountryResolver,
  ) {}

  /** Resolves once the ping is committed, whether or not it counts. */
  async receive(input: PingInput, ip: string, headers: RequestHeaders): Promise<void> {
    const { extensionId: given, installId, version, language, store, licensed } = input;
    const address = addressKey(ip);
    const day = dayOf(this.clock.now());
    await this.partitions.ensure(day);

    const userAgent = headers['user-agent'];
    const extensionId = isBot(userAgent) ? NIL_ID : uuidOrNil(given);
    const sender = this.digest.senderOf(day, address, extensionId);
    const cap = { name: 'ping-installs', perDay: this.config.analyticsInstallsPerAddress };
    const isWithinCap = await this.limits.consumeDaily(cap, day, sender);
    const ping: CountedPing = {
      extensionId: isWithinCap ? extensionId : NIL_ID,
      day,
      install: this.digest.installOf(extensionId, installId),
      version: countedVersion(version),
      language: countedLanguage(language),
      client: this.clientOf(userAgent),
      country: this.countries.countryOf(headers, ip),
      store: countedStore(store),
      licensed: countedLicensed(licensed),
    };
    let isCounted = false;
    try {
      isCounted = await this.batcher.add(ping);
    } finally {
      // A ping that did not count, or failed, does not count against the address's limit.
      if (isWithinCap && !isCounted) await this.limits.refundDaily(cap, day, sender);
    }
  }

  /** Waits until all received pings are committed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.batcher.drain();
  }

  private clientOf(userAgent = ''): Client {
    const known = this.clients.get(userAgent);
    if (known !== undefined) return known;
    if (this.clients.size >= MAX_CLIENTS) this.clients.clear();
    const client = clientOf(userAgent);
    if (!isBot(userAgent)) this.clients.set(userAgent, client);
    return client;
  }
}
