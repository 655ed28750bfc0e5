import { ImportWorker, type World } from './app.js';
import { expectStatus, type Tenant } from './given.js';
import type { Answer } from './api.js';

/** Imports the lines of a file that have no fault. @returns the import at its end */
export async function imported(
  world: World,
  { token }: Pick<Tenant, 'token'>,
  extensionId: string,
  csv: string,
): Promise<Answer['body']> {
  const api = world.api.as({ token });
  const sent = { raw: csv, headers: { 'content-type': 'text/csv' } };
  const uploaded = await api.post(`/license-imports?extension=${extensionId}`, undefined, sent);
  const path = `/license-imports/${expectStatus(uploaded, 201).body.id}`;
  await world.app.get(ImportWorker).tick();
  expectStatus(await api.post(`${path}/start`, { skipFaults: true }), 200);
  await world.app.get(ImportWorker).tick();
  return expectStatus(await api.get(path), 200).body;
}
