import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import type { Kernel, Party } from './kernel.js';

const require = createRequire(import.meta.url);

const letter = (name: string): number => name.charCodeAt(0);
/** The messages after which the database answers: Query, Sync; and Terminate. */
const ENDS = new Set(['Q', 'S', 'X'].map(letter));
/** For how long who looks waits until no transaction is open. */
const MOMENTS = 50;
const MOMENT_MS = 100;
const READY = letter('Z');
const IDLE = letter('I');

const TABLES = `select table_name as table from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;

/** What goes wrong with a statement. `lost`: it is carried out, and the answer never arrives. */
export type DatabaseFault = 'refused' | 'lost' | null;

/**
 * The one database of the simulated world: PostgreSQL in this process, to which the driver speaks its own protocol over a stream in memory. The
 * database has one session, so a transaction keeps all other connections waiting.
 */
export class SimulatedDatabase {
  /** The connection that has a transaction open. */
  private holder: Wire | null = null;
  private readonly waiting: Wire[] = [];
  private readonly wires = new Set<Wire>();
  faultOf: (party: Party, statement: string) => DatabaseFault = () => null;

  private constructor(
    readonly kernel: Kernel,
    private readonly engine: PGlite,
    /** In whose name the engine works. */
    private readonly inside: Party,
  ) {}

  /** @param snapshot path of a database without tables: to make one takes longer than to copy it */
  static async open(kernel: Kernel, snapshot: string): Promise<SimulatedDatabase> {
    const loadDataDir = new Blob([await readFile(snapshot)]);
    // The engine sets timers for what it waits for, again and again: those of the dead never fire.
    const inside = Object.assign(kernel.party('inside the database'), { isDead: true });
    const engine = await kernel.as(inside, () => kernel.counting(() => PGlite.create({ loadDataDir })));
    const database = new SimulatedDatabase(kernel, engine, inside);
    database.takeOverDriver();
    return database;
  }

  /** Reads what stands in the database, beside all connections, once no transaction is open; null when one stays so. */
  async look<T>(sql: string, parameters: readonly unknown[] = []): Promise<readonly T[] | null> {
    for (let left = MOMENTS; this.holder !== null; left -= 1) {
      if (left === 0) return null;
      await this.kernel.pause(MOMENT_MS, 'a transaction is open');
    }
    const found = await this.kernel.as(this.inside, () => this.engine.query<T>(sql, [...parameters]));
    return found.rows;
  }

  /** The first row of any table that has a text, by a regular expression; null when none has. */
  async rowWith(pattern: string): Promise<{ readonly table: string; readonly row: string } | null> {
    for (const { table } of (await this.look<{ readonly table: string }>(TABLES)) ?? []) {
      const sql = `select t::text as row from "${table}" t where t::text ~ $1`;
      const [found] = (await this.look<{ readonly row: string }>(sql, [pattern])) ?? [];
      if (found !== undefined) return { table, ...found };
    }
    return null;
  }

  /** Runs statements beside all connections, before there are any. */
  async prepare(sql: string): Promise<void> {
    await this.kernel.as(this.inside, () => this.engine.exec(sql));
  }

  /** Ends a party's connections as a crash does: what it had not committed is gone. */
  async crash(party: Party): Promise<void> {
    for (const wire of this.wires) if (wire.party === party) await this.drop(wire);
  }

  /** A connection breaks. */
  async drop(wire: Wire): Promise<void> {
    this.wires.delete(wire);
    if (this.holder === wire) {
      await this.kernel.as(this.inside, () => this.engine.exec('rollback'));
      this.release();
    }
    const at = this.waiting.indexOf(wire);
    if (at >= 0) this.waiting.splice(at, 1);
    if (!wire.destroyed) wire.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  }

  /** Runs a whole query of a connection. */
  async execute(wire: Wire, message: Buffer): Promise<void> {
    if (!this.wires.has(wire)) return;
    if (this.holder !== null && this.holder !== wire) {
      this.waiting.push(wire);
      return;
    }
    const statement = statementOf(message);
    const fault = this.faultOf(wire.party, statement);
    if (fault === 'refused') return this.drop(wire);
    const answer = await this.kernel.as(this.inside, () => this.engine.execProtocolRaw(message));
    const state = stateOf(answer);
    if (state === IDLE) this.release();
    else if (state !== null) this.holder = wire;
    this.kernel.say(`sql ${statement}`, wire.party);
    if (fault === 'lost') return this.drop(wire);
    wire.answered(Buffer.from(answer));
  }

  opened(wire: Wire): void {
    this.wires.add(wire);
  }

  private release(): void {
    this.holder = null;
    for (const wire of this.waiting.splice(0)) wire.again();
  }

  /** Every client of the driver speaks to this database. */
  private takeOverDriver(): void {
    const pg = require('pg') as { Client: ClientClass; Pool: PoolClass };
    const stream = (): Wire => new Wire(this, this.kernel.current);
    const RealClient = pg.Client;
    const RealPool = pg.Pool;
    const Client = class extends RealClient {
      constructor(config?: unknown) {
        super({ ...(typeof config === 'string' ? { connectionString: config } : Object(config)), stream });
      }
    };
    pg.Client = Client;
    pg.Pool = class extends RealPool {
      constructor(options: object) {
        // A connection that ends when nobody has used it for a while would be opened again by the next round of each worker.
        super({ ...options, Client, idleTimeoutMillis: 0 });
      }
    };
  }
}

type ClientClass = new (config?: unknown) => object;
type PoolClass = new (options: object) => object;

/** The stream of one connection. It passes whole queries, one at a time. */
export class Wire extends Duplex {
  private received = Buffer.alloc(0);
  private isStarted = false;
  /** The query that is under way. */
  private query: Buffer | null = null;

  constructor(
    private readonly database: SimulatedDatabase,
    readonly party: Party,
  ) {
    super();
    database.opened(this);
  }

  connect(): this {
    this.database.kernel.later(this.latency(), '', () => void this.emit('connect'), this.party);
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed when they are there.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.received = Buffer.concat([this.received, chunk]);
    this.next();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    void this.database.kernel.counting(() => this.database.drop(this));
    done(error);
  }

  answered(answer: Buffer): void {
    this.query = null;
    if (!this.destroyed) this.push(answer);
    this.next();
  }

  /** Sends a query again that had to wait for another connection's transaction. */
  again(): void {
    if (this.query !== null) this.send(this.query);
  }

  /** Sends the next whole query, if there is one and none is under way. */
  private next(): void {
    if (this.query !== null) return;
    const size = this.sizeOfNext();
    if (size === 0) return;
    this.query = this.received.subarray(0, size);
    this.received = this.received.subarray(size);
    if (this.query[0] === letter('X')) this.push(null);
    else this.send(this.query);
  }

  private send(query: Buffer): void {
    const { kernel } = this.database;
    const execute = (): void => void kernel.counting(() => this.database.execute(this, query));
    kernel.later(this.latency(), '', execute, this.party);
  }

  private latency(): number {
    return this.database.kernel.random.between(0.1, 1.5);
  }

  /** Bytes of the next query that is there as a whole; 0 when none is. */
  private sizeOfNext(): number {
    let at = 0;
    if (!this.isStarted) {
      if (this.received.length < 4) return 0;
      const size = this.received.readInt32BE(0);
      if (this.received.length < size) return 0;
      this.isStarted = true;
      return size;
    }
    while (at + 5 <= this.received.length) {
      const code = this.received[at] ?? 0;
      const size = 1 + this.received.readInt32BE(at + 1);
      if (at + size > this.received.length) return 0;
      at += size;
      if (ENDS.has(code)) return at;
    }
    return 0;
  }
}

/** The text of a query, on one line; its parameters are left out. */
function statementOf(message: Buffer): string {
  const [code] = message;
  if (code === letter('Q')) return oneLine(message.toString('utf8', 5, message.length - 1));
  if (code === letter('P')) {
    const name = message.indexOf(0, 5);
    return oneLine(message.toString('utf8', name + 1, message.indexOf(0, name + 1)));
  }
  return code === letter('B') ? 'bind' : 'start';
}

const oneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim().slice(0, 300);

/** The transaction state that the last message of an answer tells; null when it has none. */
function stateOf(answer: Uint8Array): number | null {
  const at = answer.length - 6;
  return at >= 0 && answer[at] === READY ? (answer[at + 5] ?? null) : null;
}
