import type { PGlite } from '@electric-sql/pglite';

const codesOf = (letters: string): ReadonlySet<number> =>
  new Set(Array.from(letters, (letter) => letter.charCodeAt(0)));

/** Parse, Bind, Describe, Execute, Close and Flush: parts of a query that goes on until its Sync. */
const PARTS = codesOf('PBDECH');
/** Sync, and the messages that are whole queries. */
const ENDS = codesOf('SQF');
const SYNC = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4);

/**
 * The database as its socket server must see it. All connections share one session, and with it one unnamed statement, one unnamed
 * portal and one "skip until Sync" after an error; but the server changes connections between any two messages outside a transaction,
 * and so would hand one connection the rows of another. Here a query counts as a transaction until its last message.
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
    /** Rolls back for a connection that broke off, perhaps in the middle of a query. */
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
