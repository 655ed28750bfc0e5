/** A migrated database of its own, embedded or on the server under test. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function newDatabase(): Promise<TestDatabase> {
  const databases = process.env['TEST_DATABASES'] ?? '';
  const answer = await fetch(databases, { method: 'POST' });
  if (!answer.ok) throw new Error(await answer.text());
  const { id, url } = (await answer.json()) as { readonly id: string; readonly url: string };
  return {
    url,
    drop: async () => {
      await fetch(`${databases}/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
  };
}
