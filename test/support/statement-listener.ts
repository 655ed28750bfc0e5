import type { Pool, PoolClient } from 'pg';
import { DataSource, workContext, type World } from './app.js';
import { closedWithFile } from './opened.js';

/** A statement with the values of its parameters. */
export interface Said {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (
  first: string | { readonly text?: string; readonly values?: readonly unknown[] },
  ...rest: unknown[]
) => unknown;

/**
 * Everything that a service says to its database for requests, heard at the connections themselves: past TypeORM, and past nothing. What its
 * workers say meanwhile is not heard. It ends with the spec file: the connections of a shared service go on.
 */
export class StatementListener {
  private heard: Said[] | null = null;
  private readonly known = new Set<PoolClient>();

  private constructor(pool: Pool) {
    const listen = (client: PoolClient): void => this.listen(client);
    pool.on('acquire', listen);
    closedWithFile(() => {
      pool.off('acquire', listen);
      for (const client of this.known) Reflect.deleteProperty(client, 'query');
      return Promise.resolve();
    });
  }

  static of(world: World): StatementListener {
    return new StatementListener((world.app.get(DataSource).driver as unknown as { readonly master: Pool }).master);
  }

  /** Runs work and returns the statements that its requests sent, in order. No other requests may run at the same time. */
  async during<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly said: readonly string[] }> {
    const { answer, heard } = await this.hearDuring(work);
    return { answer, said: heard.map(({ text }) => text) };
  }

  /** The same, with the values of the statements. */
  async hearDuring<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly heard: readonly Said[] }> {
    const heard: Said[] = (this.heard = []);
    try {
      return { answer: await work(), heard };
    } finally {
      this.heard = null;
    }
  }

  private listen(client: PoolClient): void {
    if (this.known.has(client)) return;
    this.known.add(client);
    const query = client.query.bind(client) as Query;
    client.query = ((...[first, ...rest]: Parameters<Query>) => {
      if (workContext().requestId !== undefined)
        this.heard?.push(
          typeof first === 'string'
            ? { text: first, values: Array.isArray(rest[0]) ? rest[0] : [] }
            : { text: first.text ?? '', values: first.values ?? [] },
        );
      return query(first, ...rest);
    }) as never;
  }
}
