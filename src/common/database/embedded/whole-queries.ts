import type { PGlite } from '@electric-sql/pglite';

const codesOf = (letters: string): ReadonlySet<number> =>
  new Set(Array.from(letters, (letter) => letter.charCodeAt(0)));

/** Parse, Bind, Describe, Execute, Close and Flush: messages of a query that ends with Sync. */
const PARTS = codesOf('PBDECH');
/** Sync, and the messages that are whole queries themselves. */
const ENDS = codesOf('SQF');
const SYNC = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4);

/**
 * Wraps the database for its socket server. All connections share one session, and with it one unnamed statement, one unnamed portal and one
 * "skip until Sync" after an error. The server switches connections between any two messages outside a transaction, and so would give one
 * connection the rows of another. Here a query counts as a transaction until its last message.
 */
export function inWholeQueries(database: PGlite): PGlite {
  let isWithin = false;
  const own = {
    isInTransaction: () => isWithin || database.isInTransaction(),
    execProtocolRawStream: (...[message, options]: Parameters<PGlite['execProtocolRawStream']>) => {
      const [code = 0] = message;
      if (PARTS.has(code)) isWithin = true;
      if (ENDS.has(code)) isWithin = false;
      return database.execProtocolRawStream(message, options);
    },
    /** Rolls back for a connection that closed, perhaps within a query. */
    exec: async (...[query, options]: Parameters<PGlite['exec']>) => {
      if (isWithin) await database.runExclusive(() => database.execProtocolRaw(SYNC));
      isWithin = false;
      return database.exec(query, options);
    },
  };
  return new Proxy(database, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
