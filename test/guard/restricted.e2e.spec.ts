import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/common/http/index.js';
import type { Subject } from '../../src/common/access/index.js';
import { TENANT_SCOPES } from '../../src/common/access/roles.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { Resources } from './every-resource.js';

describe('a token that is restricted to an extension', () => {
  let world: World;
  let resources: Resources;
  let mine: string;
  let token: string;
  let planId: string;
  beforeAll(async () => {
    world = await startWorld();
    // The resources belong to the tenant's other extension.
    resources = await Resources.in(world);
    mine = await world.given.extension(resources.owner, 'Night Owl');
    token = await restrictedTo([mine]);
    // Its use is noted once a minute.
    await world.api.as({ token }).get('/extensions');
    planId = (await world.api.as({ token: resources.owner.token }).get('/plans')).body.items[0].id;
  });
  afterAll(() => world.close());

  const create = (input: object): Promise<Answer> =>
    world.api.as({ cookie: resources.owner.cookie }).post('/access-tokens', { name: 'CI', scopes: ['*'], ...input });
  const restrictedTo = async (extensionIds: readonly string[]): Promise<string> =>
    expectStatus(await create({ extensionIds }), 201).body.token;
  const routes = (): readonly Route[] =>
    resources.routes.filter(({ access }) => access.kind === 'bearer' || access.kind === 'either');
  const subjectOf = ({ access }: Route): Subject => ('subject' in access ? access.subject : 'tenant');
  /** Asks for a thing of the other extension. */
  const ask = (route: Route, as = token, path = resources.pathOf(route)): Promise<Answer> => {
    const subject = subjectOf(route);
    const body = route.method === 'GET' || route.body === 'own' ? undefined : resources.bodyOf(route);
    const named =
      typeof subject === 'object' && subject.in === 'body'
        ? { ...body, [subject.name]: subject.name === 'planId' ? planId : resources.owner.extensionId }
        : body;
    return world.api.as({ token: as }).call(route.method, path, named);
  };

  it('gets nothing of another at any route, and changes nothing there', async () => {
    expect(routes().length).toBeGreaterThanOrEqual(50);
    const { extensionId } = resources.owner;
    const before = await resources.snapshot();
    for (const route of routes()) {
      const { status, body, text } = await ask(route);
      const line = `${route.operationId}: ${status} ${body?.code}`;
      const subject = subjectOf(route);
      if (subject === 'tenant') expect(line).toMatch(/: 403 (token_restricted|insufficient_scope)$/);
      else if (subject === 'filtered') expect([line, text.includes(extensionId)]).toEqual([expect.anything(), false]);
      else expect(line).toMatch(/: 404 \w+_not_found$/);
    }
    expect(await resources.snapshot()).toEqual(before);
  });

  it('is answered exactly as when the thing does not exist', async () => {
    const unrestricted = resources.owner.token;
    const absent = '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4';
    for (const route of routes().filter((one) => typeof subjectOf(one) === 'object' && resources.isAbout(one))) {
      const [hidden, missing] = [await ask(route), await ask(route, unrestricted, resources.pathOf(route, absent))];
      const { instance: _, requestId: __, ...shown } = hidden.body;
      expect(missing).toMatchObject({ status: hidden.status, body: shown });
    }
  });

  it('finds no way around by writing the id differently', async () => {
    const { extensionId } = resources.owner;
    const api = world.api.as({ token });
    const upper = extensionId.toUpperCase();
    expect((await api.get(`/extensions/${upper}`)).status).toBe(404);
    for (const query of [
      `extension=${upper}`,
      `extension=${mine}&extension=${extensionId}`,
      `extension[]=${extensionId}`,
      `extension=%20${extensionId}`,
      `extension[${mine}]=${extensionId}`,
    ])
      for (const path of ['/plans', '/licenses', '/artifacts']) {
        const { status, text } = await api.get(`${path}?${query}`);
        expect([query, status >= 400 || text === '{"items":[],"nextCursor":null}']).toEqual([query, true]);
      }
    for (const path of ['/plans', '/licenses', '/artifacts?', '/licenses?email=x@example.com'])
      expect(await api.get(path)).toMatchObject({ status: 403, body: { code: 'token_restricted' } });
    const sneaky = { extensionId: [extensionId], tier: 'any' };
    expect((await api.post('/plans', sneaky)).status).toBe(404);
    const across = `/extensions/${mine}/targets/${resources.owner.targetId}`;
    expect(await api.get(across)).toMatchObject({ status: 404, body: { code: 'target_not_found' } });
    expect((await api.patch(across, { enabled: false })).status).toBe(404);
  });

  it("leads its own extension to no store item and no credential, which are the whole tenant's", async () => {
    const api = world.api.as({ token });
    const path = `/extensions/${mine}/targets`;
    const { id } = (await api.get(path)).body.targets[0];
    const { itemId: storeItemId, credentialId } = resources.owner;
    for (const connected of [{ storeItemId }, { credentialId }, { storeItemId: null }]) {
      expect((await api.patch(`${path}/${id}`, connected)).body.code).toBe('token_restricted');
      expect((await api.post(path, { store: 'chrome', ...connected })).body.code).toBe('token_restricted');
    }
    expect((await api.patch(`${path}/${id}`, { release: 'manual' })).status).toBe(200);
  });

  it('does with its own extension what any token does', async () => {
    const own = await restrictedTo([mine, resources.owner.extensionId]);
    // Sales of a week are the whole tenant's.
    const others = /plan$|next-steps$|download$|week$/;
    const reading = routes().filter(
      (route) => route.method === 'GET' && subjectOf(route) !== 'tenant' && !others.test(route.path),
    );
    expect(reading.length).toBeGreaterThanOrEqual(12);
    for (const route of reading) {
      const [seen, all] = [await ask(route, own), await ask(route, resources.owner.token)];
      expect([route.operationId, seen.status, seen.text]).toEqual([route.operationId, 200, all.text]);
    }
    const { body: plan } = expectStatus(
      await world.api.as({ token }).post('/plans', { extensionId: mine, tier: 'pro' }),
      201,
    );
    const sold = { planId: plan.id, buyerEmail: 'buyer@example.com' };
    expectStatus(await world.api.as({ token }).post('/licenses', sold), 201);
    expect((await world.api.as({ token }).get('/extensions')).body.items).toMatchObject([{ id: mine }]);
    expectStatus(await world.api.as({ token }).patch(`/extensions/${mine}`, { name: 'Owl' }), 200);
  });

  it('says so in the list, and stays restricted when the extension is deleted', async () => {
    const gone = await world.given.extension(resources.owner);
    const { body } = expectStatus(await create({ name: 'Gone', extensionIds: [gone] }), 201);
    expect(body.extensionIds).toEqual([gone]);
    expectStatus(await world.api.as({ token: body.token }).delete(`/extensions/${gone}`), 204);
    expect((await world.api.as({ token: body.token }).get('/extensions')).body.items).toEqual([]);
    const listed = (await world.api.as({ cookie: resources.owner.cookie }).get('/access-tokens')).body.items;
    expect(listed[0]).toMatchObject({ id: body.id, extensionIds: [gone], createdBy: resources.owner.email });
  });

  it.each<[string, () => object, string]>([
    ['to no extension', () => ({ extensionIds: [] }), 'extensionIds'],
    ['to an extension that does not exist', () => ({ extensionIds: [planId] }), 'extensionIds'],
    ['to what is no id', () => ({ extensionIds: ['no-uuid', mine] }), 'extensionIds'],
    ['to what is no text', () => ({ extensionIds: [7] }), 'extensionIds'],
    ['to one extension twice', () => ({ extensionIds: [mine, mine.toUpperCase()] }), 'extensionIds'],
    ...TENANT_SCOPES.map((scope): [string, () => object, string] => [
      `and may have ${scope}`,
      () => ({ scopes: [scope], extensionIds: [mine] }),
      'scopes',
    ]),
  ])('%s is not created', async (_, input, field) => {
    expect(await create(input())).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  it("to another tenant's extension is not created", async () => {
    const other = await world.given.extension(await world.given.tenant());
    expect((await create({ extensionIds: [mine, other] })).status).toBe(400);
  });
});
