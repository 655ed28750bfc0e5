import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';

const ENABLED_TWICE = {
  status: 409,
  body: { code: 'item_enabled_twice', detail: expect.stringContaining('Disable that target first') },
};

describe('one item of a store', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** An extension, and what its author does with its targets. */
  const author = async (owner?: Tenant) => {
    const tenant = owner ?? (await world.given.tenant());
    const extensionId = await world.given.extension(tenant);
    const api = world.api.as(tenant);
    const targets = `/extensions/${extensionId}/targets`;
    const add = (settings: object): Promise<Answer> => api.post(targets, { store: 'firefox', ...settings });
    return {
      tenant,
      add,
      made: async (settings: object): Promise<string> => expectStatus(await add(settings), 201).body.id,
      set: (id: string, changes: object) => api.patch(`${targets}/${id}`, changes),
      get: async (id: string) => expectStatus(await api.get(`${targets}/${id}`), 200).body,
      events: async () => expectStatus(await api.get(`/extensions/${extensionId}/events`), 200).body.items,
    };
  };
  const guid = (): string => `{${randomUUID()}}`;

  it('is published by one target at a time, however a second one is enabled', async () => {
    const { add, made, set, get } = await author();
    const storeItemId = guid();
    const listed = await made({ storeItemId, enabled: true });
    expect(await add({ storeItemId, channel: 'unlisted', enabled: true })).toMatchObject(ENABLED_TWICE);
    const unlisted = await made({ storeItemId, channel: 'unlisted' });
    const before = await get(unlisted);
    expect(await set(unlisted, { enabled: true })).toMatchObject(ENABLED_TWICE);
    expect(await get(unlisted)).toEqual(before);
    const other = await made({ storeItemId: guid(), channel: 'unlisted', enabled: true });
    expectStatus(await set(unlisted, { storeItemId: guid() }), 200);
    expect(await set(other, { storeItemId })).toMatchObject(ENABLED_TWICE);
    expectStatus(await set(listed, { enabled: false }), 200);
    expectStatus(await set(other, { storeItemId }), 200);
    expect(await set(listed, { enabled: true })).toMatchObject(ENABLED_TWICE);
  });

  it('is published by one target when two are enabled at once', async () => {
    const { made, set } = await author();
    const storeItemId = guid();
    const ids = [await made({ storeItemId }), await made({ storeItemId, channel: 'unlisted' })];
    const answers = await Promise.all(ids.map((id) => set(id, { enabled: true })));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  it('is published by one target across all extensions of a tenant, without a trace at other tenants', async () => {
    const one = await author();
    const other = await author(one.tenant);
    const storeItemId = guid();
    const first = await one.made({ storeItemId, enabled: true });
    expect(await other.add({ storeItemId, enabled: true })).toMatchObject(ENABLED_TWICE);
    const second = await other.made({ storeItemId });
    expect(await other.set(second, { enabled: true })).toMatchObject(ENABLED_TWICE);
    const stranger = await author();
    await stranger.made({ storeItemId, enabled: true });
    expectStatus(await one.set(first, { enabled: false }), 200);
    expectStatus(await other.set(second, { enabled: true }), 200);
  });

  it.each([
    ['firefox', '{4C6F7665-4D61-4E79-8A7B-4F776C730001}', '4c6f7665-4d61-4e79-8a7b-4f776c730001'],
    ['firefox', 'Owl@Example.org', 'owl@example.org'],
    ['chrome', 'ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP', 'abcdefghijklmnopabcdefghijklmnop'],
    ['edge', '4C6F7665-4D61-4E79-8A7B-4F776C730001', '4c6f7665-4d61-4e79-8a7b-4f776c730001'],
  ])('of %s is the same as %s and as %s', async (store, one, other) => {
    const { add, made } = await author();
    await made({ store, storeItemId: one, enabled: true });
    expect(await add({ store, storeItemId: other, enabled: true })).toMatchObject(ENABLED_TWICE);
  });
});
