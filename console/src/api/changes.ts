/** Changes that the service announces: names, never data. */
export interface Change {
  readonly resource: string;
  readonly extensionId?: string;
  readonly id?: string;
}

/** Cuts what the stream said so far into its events, and what has come of the next one. */
export function cut(said: string): { readonly events: readonly string[]; readonly rest: string } {
  const events = said.split(/\r?\n\r?\n/);
  return { rest: events.pop() ?? '', events };
}

/** Whether an event says that every change from now on is told. */
export const isReady = (event: string): boolean => /^event: ready$/m.test(event);

/** The changes in events of the stream. Other events report that it is ready, or why it ends. */
export const changesIn = (events: readonly string[]): readonly Change[] =>
  events
    .filter((event) => /^event: change$/m.test(event))
    .map((event) => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') as Change);

/** The beginnings of the keys of what is shown of changed resources, of the extensions that they belong to, and of everything at once. */
export function keysOf(changes: readonly Change[]): readonly (readonly string[])[] {
  if (changes.length === 0) return [];
  const keys = changes.flatMap(({ resource, extensionId }) =>
    extensionId === undefined ? [[resource]] : [[resource], ['extensions', extensionId]],
  );
  return [...new Map([['overview'], ...keys].map((key) => [key.join(' '), key])).values()];
}
