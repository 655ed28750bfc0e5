/** A migrated database of its own, embedded or on the server under test. */
export interface TestDatabase {
  readonly url: string;
  /** Deletes all rows while a service uses it. @returns false when a test has changed its shape, or holds a lock */
  empty(): Promise<boolean>;
  drop(): Promise<void>;
}

export async function newDatabase(): Promise<TestDatabase> {
  const databases = process.env['TEST_DATABASES'] ?? '';
  const answer = await fetch(databases, { method: 'POST' });
  if (!answer.ok) throw new Error(await answer.text());
  const { id, url } = (await answer.json()) as { readonly id: string; readonly url: string };
  const own = `${databases}/${encodeURIComponent(id)}`;
  return {
    url,
    empty: async () => ((await (await fetch(own, { method: 'PUT' })).json()) as { readonly isEmpty: boolean }).isEmpty,
    drop: async () => {
      await fetch(own, { method: 'DELETE' });
    },
  };
}
