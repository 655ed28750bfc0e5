import type { Pool, PoolClient } from 'pg';
import { DataSource, workContext, type World } from './app.js';

type Query = (first: string | { readonly text?: string }, ...rest: unknown[]) => unknown;

/**
 * Everything that a service says to its database for requests, heard at the connections themselves: past TypeORM, and past nothing. What its
 * workers say meanwhile is not heard.
 */
export class StatementListener {
  private heard: string[] = [];
  private readonly known = new WeakSet<object>();

  private constructor(pool: Pool) {
    pool.on('acquire', (client) => this.listen(client));
  }

  static of(world: World): StatementListener {
    return new StatementListener((world.app.get(DataSource).driver as unknown as { readonly master: Pool }).master);
  }

  /** Runs work and returns the statements that its requests sent, in order. No other requests may run at the same time. */
  async during<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly said: readonly string[] }> {
    this.heard = [];
    const answer = await work();
    return { answer, said: this.heard };
  }

  private listen(client: PoolClient): void {
    if (this.known.has(client)) return;
    this.known.add(client);
    const query = client.query.bind(client) as Query;
    client.query = ((...[first, ...rest]: Parameters<Query>) => {
      if (workContext().requestId !== undefined)
        this.heard.push(typeof first === 'string' ? first : (first.text ?? ''));
      return query(first, ...rest);
    }) as never;
  }
}
