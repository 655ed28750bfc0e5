import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';

describe('the first call of the console', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('answers the user, a token that works, and the newest extensions of the tenant alone', async () => {
    const [owner, other] = [await world.given.tenant(), await world.given.tenant()];
    const first = await world.given.extension(owner, 'Tab Counter');
    const second = await world.given.extension(owner, 'Night Shade');
    await world.given.extension(other, 'Not theirs');
    const api = world.api.as({ cookie: owner.cookie });
    const { body } = expectStatus(await api.post('/console/start'), 200);
    expect(body.me).toEqual((await api.get('/auth/me')).body);
    expect(body.extensions.items.map(({ id }: { readonly id: string }) => id)).toEqual([second, first]);
    const bearer = world.api.as({ token: body.token });
    expect((await bearer.get('/extensions?limit=100')).body).toEqual(body.extensions);
    expectStatus(await api.post('/auth/logout'), 204);
    expect(await bearer.get('/extensions')).toMatchObject({ status: 401 });
    expect(await api.post('/console/start')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });
});
