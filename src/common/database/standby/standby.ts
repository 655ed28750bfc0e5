import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../config/index.js';
import { Deadline } from '../../net/index.js';
import { dataSourceOptions } from '../data-source.js';
import { Transactions } from '../transactions.js';
import { isUnavailable } from '../unavailable.js';

/** Time that a read waits for the standby to replay all commits of the primary before the read began. */
const CATCH_UP_MS = 250;
/** Time for which all reads go to the primary after the standby was behind or unreachable. */
const COOL_DOWN_MS = 1_000;
const FIRST_PAUSE_MS = 2;

/** On the primary: the position up to which clients can have seen commits. */
const COMMITTED = 'select pg_current_wal_flush_lsn() as position';
/** A promoted standby no longer follows the primary, whatever its position. */
const HAS_REPLAYED = 'select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasAll"';

/**
 * The standby of `DATABASE_READ_URL`. A read from it never misses what was committed before the read began, so clients find their own writes; when
 * the standby is too far behind or does not answer, the read goes to the primary. It has a separate DataSource, since TypeORM's `replication` needs
 * every server at start and picks one at random, however far behind.
 */
@Injectable()
export class Standby implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Standby');
  /** Number of reads that each server has answered while `DATABASE_READ_URL` is set. */
  readonly answered = { standby: 0, primary: 0 };
  private source: Promise<DataSource> | undefined;
  private coolsDownUntil = 0;
  private isAway = false;

  constructor(
    private readonly config: Config,
    private readonly primary: DataSource,
    private readonly tx: Transactions,
  ) {}

  /** Runs work that only reads, on the standby if possible, otherwise on the primary. Work that fails on the standby runs again. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    const url = this.config.databaseReadUrl;
    if (url === undefined || this.tx.isRunning) return work();
    const standby = await this.caughtUp(url);
    if (standby !== null)
      try {
        const result = await this.tx.readFrom(standby, work);
        this.answered.standby += 1;
        return result;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.coolDown(error);
      }
    this.answered.primary += 1;
    return work();
  }

  /** Connects before the first read needs it. */
  onApplicationBootstrap(): void {
    const { databaseReadUrl: url } = this.config;
    if (url !== undefined) this.connect(url).catch((error: unknown) => this.coolDown(error));
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.source?.catch(() => undefined))?.destroy();
  }

  /** @returns the standby once it has all that was committed; null when that takes too long */
  private async caughtUp(url: string): Promise<DataSource | null> {
    if (performance.now() < this.coolsDownUntil) return null;
    const [{ position } = {}] = await this.tx.query<{ readonly position: string }>(COMMITTED);
    const deadline = new Deadline(CATCH_UP_MS);
    try {
      const standby = await deadline.limit(this.connect(url));
      await deadline.limit(this.waitUntilReplayed(standby, position, deadline));
      if (this.isAway) this.log.log({ msg: 'reading from the standby again' });
      this.isAway = false;
      return standby;
    } catch (error) {
      this.coolDown(error);
      return null;
    } finally {
      deadline.close();
    }
  }

  private async waitUntilReplayed(standby: DataSource, position: unknown, deadline: Deadline): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !deadline.passed; wait *= 2) {
      const [row]: { readonly isStandby: boolean; readonly hasAll: boolean }[] = await standby.query(HAS_REPLAYED, [
        position,
      ]);
      if (!row?.isStandby) throw new Error('It is not a standby');
      if (row.hasAll) return;
      await pause(wait);
    }
    throw new Error(`It is more than ${CATCH_UP_MS} ms behind the primary`);
  }

  private connect(url: string): Promise<DataSource> {
    this.source ??= new DataSource({
      ...dataSourceOptions(url, this.config.databasePool),
      connectTimeoutMS: 1_000,
      entities: this.primary.entityMetadatas.map(({ target }) => target),
      migrations: [],
    })
      .initialize()
      .catch((error: unknown) => {
        this.source = undefined;
        throw error;
      });
    return this.source;
  }

  private coolDown(cause: unknown): void {
    if (!this.isAway)
      this.log.warn({ msg: 'the standby is behind or unreachable: reading from the primary', err: cause });
    this.isAway = true;
    this.coolsDownUntil = performance.now() + COOL_DOWN_MS;
  }
}
