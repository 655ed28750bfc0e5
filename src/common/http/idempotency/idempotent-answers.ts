import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { IsNull, Not } from 'typeorm';
import { Config } from '../../config/index.js';
import { newRow, Transactions } from '../../database/index.js';
import { Sealer } from '../../sealing/index.js';
import { Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../system/index.js';
import { IdempotencyKeyTaken, IdempotentAnswerForgotten, IdempotentRequestUnanswered } from './idempotency.problems.js';
import { IdempotentAnswerEntity } from './idempotent-answer.entity.js';

/** A request that has a key. */
export interface KeyedRequest {
  readonly tenantId: string;
  /** Caller, route, its parameters and key. */
  readonly request: readonly string[];
  readonly body: unknown;
}

/** What a request is answered with. */
export interface Answered {
  readonly answer: unknown;
  readonly isRepeated: boolean;
}

/** A request by its digests: of caller, route and key, and of its body. */
type Digested = Pick<IdempotentAnswerEntity, 'tenantId' | 'request' | 'body'>;

type Known = Pick<IdempotentAnswerEntity, 'id' | 'body' | 'sealed' | 'createdAt' | 'answeredAt'>;

/** A request that has not been answered for so long is not running any more. */
const RUNNING_MS = MINUTE_MS;

/** Deeper than any body of this API. */
const MAX_DEPTH = 20;

const purposeOf = (id: string): string => `idempotent-answer:${id}`;

/** Answers requests with an `Idempotency-Key` once. Refusals are not kept: they made nothing, and the next one may succeed. */
@Injectable()
export class IdempotentAnswers {
  /** Requests whose work runs now, by their digest. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly sealer: Sealer,
    private readonly tx: Transactions,
  ) {}

  /** Keeps the answer in the transaction of the work: they commit together. A second request waits for the first. */
  async together(keyed: KeyedRequest, work: () => Promise<unknown>): Promise<Answered> {
    const digested = this.digested(keyed);
    const { request } = digested;
    // Requests of this process wait here, since each that waits in the database would hold a connection.
    while (this.running.has(request)) await this.running.get(request);
    const answering = this.tx.run(async () => {
      const id = await this.claim(digested);
      return typeof id === 'string' ? this.keep(id, await work()) : this.repeat(id, digested);
    });
    const ended = answering.then(
      () => undefined,
      () => undefined,
    );
    this.running.set(request, ended);
    return answering.finally(() => this.running.delete(request));
  }

  /** Keeps the answer of work that asks somebody outside, in transactions before and after it. A second request meanwhile is refused. */
  async apart(keyed: KeyedRequest, work: () => Promise<unknown>): Promise<Answered> {
    const digested = this.digested(keyed);
    const id = await this.tx.run(() => this.claim(digested));
    if (typeof id !== 'string') return this.repeat(id, digested);
    const answer = await work().catch(async (error: unknown) => {
      await this.rows.delete({ id });
      throw error;
    });
    return this.keep(id, answer);
  }

  /** Forgets a tenant's answers, since they may name a buyer who is erased, but not that they were given. Part of the caller's transaction. */
  async forget(tenantId: string): Promise<void> {
    await this.rows.update({ tenantId, sealed: Not(IsNull()) }, { sealed: null });
  }

  /** Forgets answers that are a day old. */
  @Interval('idempotent-answer-cleanup', HOUR_MS)
  async forgetOld(): Promise<void> {
    await this.tx.query('delete from idempotent_answer where created_at <= $1', [this.oldest()]);
  }

  /** Adds the row of a request. @returns its id; the row of the first request with the key where this is another one */
  private async claim({ tenantId, request, body }: Digested): Promise<string | Known> {
    const { id, createdAt } = newRow(this.clock.now());
    await this.tx.query('delete from idempotent_answer where request = $1 and created_at <= $2', [
      request,
      this.oldest(),
    ]);
    // A request with the same key that has not committed yet makes this statement wait.
    const added = await this.tx.query<{ readonly id: string }>(
      `insert into idempotent_answer (id, created_at, updated_at, tenant_id, request, body) values ($1, $2, $2, $3, $4, $5)
         on conflict (request) do nothing returning id`,
      [id, createdAt, tenantId, request, body],
    );
    return added.length > 0 ? id : this.rows.findOneOrFail({ where: { request } });
  }

  private async keep(id: string, answer: unknown): Promise<Answered> {
    const sealed = await this.sealer.seal(answer ?? null, purposeOf(id));
    await this.rows.update({ id }, { sealed, answeredAt: this.clock.now() });
    return { answer, isRepeated: false };
  }

  private async repeat({ id, body, sealed, createdAt, answeredAt }: Known, repeated: Digested): Promise<Answered> {
    if (body !== repeated.body) throw new IdempotencyKeyTaken();
    if (answeredAt === null)
      throw new IdempotentRequestUnanswered(this.clock.now().getTime() - createdAt.getTime() < RUNNING_MS);
    if (sealed === null) throw new IdempotentAnswerForgotten();
    return { answer: await this.sealer.unseal(sealed, purposeOf(id)), isRepeated: true };
  }

  private digested({ tenantId, request, body }: KeyedRequest): Digested {
    return { tenantId, request: this.digestOf([tenantId, ...request]), body: this.digestOf(body) };
  }

  /** Keyed, since a body may hold a password that could be guessed. */
  private digestOf(value: unknown): string {
    return createHmac('sha256', this.config.tokenSecret)
      .update(JSON.stringify(sorted(value ?? null)))
      .digest('base64url');
  }

  private oldest(): Date {
    return new Date(this.clock.now().getTime() - DAY_MS);
  }

  private get rows() {
    return this.tx.repository(IdempotentAnswerEntity);
  }
}

/** The same value for the same JSON, whatever the order of its members. What is deeper is refused by every route, and not looked at. */
function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) return ['[', ...value.map((item) => sorted(item, depth + 1))];
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return ['{', ...members.map(([name, member]) => [name, sorted(member, depth + 1)])];
}
