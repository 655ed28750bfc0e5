import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/common/http/index.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { Resources } from './every-resource.js';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

const NO_TEXT = { NUL: 'a\0b', 'a lone high surrogate': 'a\ud800b', 'a lone low surrogate': '\udc00' };
/** A hint of a ping: extensions that are installed may send anything there, and text that names no store is never stored. */
const NEVER_REFUSED = 'AnalyticsController_ping store';
const JSON_TYPE = { 'content-type': 'application/json' };
const invalid = { status: 400, body: { code: 'invalid_request' } };

describe('invalid input', () => {
  let world: World;
  let resources: Resources;
  beforeAll(async () => {
    world = await startWorld();
    resources = await Resources.in(world);
  });
  afterAll(() => world.close());

  const as = (route: Route): object =>
    route.access.kind === 'bearer' ? { token: resources.owner.token } : { cookie: resources.owner.cookie };
  const send = (
    route: Route,
    raw: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = JSON_TYPE,
  ) => world.api.as(as(route)).call(route.method, resources.pathOf(route), undefined, { raw, headers });
  /** The fields of the JSON that a route reads, each with its schema; none where it reads no JSON. */
  const fieldsOf = (route: Route): Readonly<Record<string, Schema>> => {
    const methods = world.document.paths[route.path] as Readonly<Record<string, Operation>> | undefined;
    const schema = methods?.[route.method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
    return schema === undefined ? {} : (resolved(schema).properties ?? {});
  };
  const exampleOf = (route: Route): unknown => {
    const methods = world.document.paths[route.path] as Readonly<Record<string, Operation>> | undefined;
    return methods?.[route.method.toLowerCase()]?.requestBody?.content['application/json']?.example;
  };
  const resolved = (schema: Schema): Schema => {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    const schemas = world.document.components?.schemas as Readonly<Record<string, Schema>>;
    return reference === undefined ? schema : (schemas[reference.split('/').at(-1) ?? ''] ?? {});
  };
  const reading = (): readonly Route[] => resources.routes.filter((route) => Object.keys(fieldsOf(route)).length > 0);
  const writing = (): readonly Route[] =>
    resources.routes.filter(({ method, body, path }) => method !== 'GET' && body !== 'own' && !/logout/.test(path));
  const routeOf = (operationId: string): Route => {
    const found = resources.routes.find((route) => route.operationId === operationId);
    if (found === undefined) throw new Error(`There is no operation ${operationId}`);
    return found;
  };
  /** What the routes answer that is not what was expected. */
  const others = async (
    routes: readonly Route[],
    expected: string,
    ask: (route: Route) => Promise<Answer>,
  ): Promise<readonly string[]> => {
    const lines: string[] = [];
    for (const route of routes) {
      const { status, body } = await ask(route);
      if (`${status} ${body?.code}` !== expected) lines.push(`${route.operationId}: ${status} ${body?.code}`);
    }
    return lines;
  };

  it('does not include the example bodies of the API description', async () => {
    const refused: string[] = [];
    for (const route of reading()) {
      const { status, body } = await send(route, JSON.stringify(exampleOf(route)));
      if (status === 400 && body?.code === 'invalid_request') refused.push(`${route.operationId}: ${body.detail}`);
    }
    expect(refused).toEqual([]);
  });

  it('is sent to every route that reads or could read JSON', () => {
    expect(reading().length).toBeGreaterThanOrEqual(8);
    expect(writing().length).toBeGreaterThanOrEqual(12);
  });

  it.each([
    ['broken', '{"name":'],
    ['followed by more', '{} {}'],
    ['a bare word', 'name'],
    ['a list', '[]'],
    ['a text', '"name"'],
    ['a number', '1'],
    ['true', 'true'],
    ['null', 'null'],
    ['with a single quote', "{'name': 1}"],
    ['with a control character', '{"name":"a\u0001"}'],
    ['nested deep', `{"name":${'['.repeat(7_500)}${']'.repeat(7_500)}}`],
    ['nested deep in objects', `{"licensing":${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}}`],
    ['with a field that reaches for the prototype', '{"__proto__":{"name":"x"}}'],
    ['with a field that reaches for the constructor', '{"constructor":{"name":"x"}}'],
    ['with a field that nobody knows', '{"nobody-knows":1}'],
    ['with a field called NUL', '{"\\u0000":1}'],
  ])('as JSON (%s) gets 400 from every route', async (_, json) => {
    expect(await others(reading(), '400 invalid_request', (route) => send(route, json))).toEqual([]);
  });

  it.each([
    ['ten thousand deep', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['ten thousand deep in objects', `{"licensing":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
  ])('as JSON nested %s gets 400, and 413 from public routes, which read 16 kB', async (_, json) => {
    const isSmall = ({ access }: Route): boolean => access.kind === 'public';
    const [small, large] = [reading().filter(isSmall), reading().filter((route) => !isSmall(route))];
    expect(await others(large, '400 invalid_request', (route) => send(route, json))).toEqual([]);
    expect(await others(small, '413 payload_too_large', (route) => send(route, json))).toEqual([]);
  });

  it('as bytes that are not UTF-8 gets 400 from every route but the public ones', async () => {
    const raw = Uint8Array.from(Buffer.from('{"name":"caf\xe9"}', 'latin1'));
    const errors = [{ field: '', message: 'The body is not valid UTF-8.' }];
    for (const route of writing().filter(({ access }) => access.kind !== 'public'))
      expect(await send(route, raw)).toMatchObject({ status: 400, body: { errors } });
  });

  it('as broken JSON gets 400 from routes that want no JSON too', async () => {
    expect(await others(writing(), '400 invalid_request', (route) => send(route, '{'))).toEqual([]);
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'as a field named %s, which every object has, gets 400 like any unknown field',
    async (name) => {
      const one = routeOf('ExtensionsController_update');
      for (const [json, field] of [
        [`{"${name}":1}`, name],
        [`{"name":"x","${name}":{}}`, name],
        [`{"licensing":{"${name}":null}}`, `licensing.${name}`],
      ] as const)
        expect(await send(one, json)).toMatchObject({
          status: 400,
          body: { errors: [{ field, message: 'This field is unknown.' }] },
        });
    },
  );

  it('as a prototype deep inside is named by its path, and pollutes nothing', async () => {
    const one = routeOf('ExtensionsController_update');
    for (const [json, field] of [
      ['{"licensing":{"__proto__":{"enabled":false}}}', 'licensing.__proto__'],
      ['{"analytics":{"constructor":{"prototype":{"polluted":1}}}}', 'analytics.constructor'],
    ] as const)
      expect(await send(one, json)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });

  it('as two megabytes of JSON gets 413 from every route, compressed too', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(2_000_000) });
    expect(await others(writing(), '413 payload_too_large', (route) => send(route, large))).toEqual([]);
    const zipped = new Uint8Array(gzipSync(large));
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect(
      await others(writing().slice(0, 2), '413 payload_too_large', (route) => send(route, zipped, headers)),
    ).toEqual([]);
  });

  it.each([
    ['text/plain', '{"name":"x"}'],
    ['application/x-www-form-urlencoded', 'name=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/jsonp', '{}'],
    ['application/json; charset=iso-8859-1', '{}'],
    ['', '{}'],
  ])('with the content type %j gets 415 from every route', async (type, raw) => {
    const bytes = new TextEncoder().encode(raw);
    const headers: Readonly<Record<string, string>> = type === '' ? {} : { 'content-type': type };
    const strict = writing().filter(({ body }) => body === 'json');
    expect(await others(strict, '415 unsupported_media_type', (route) => send(route, bytes, headers))).toEqual([]);
  });

  it('with an unknown content encoding gets 415', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'compress' };
    expect(await others(writing(), '415 unsupported_media_type', (route) => send(route, '{}', headers))).toEqual([]);
  });

  it('does not include JSON under another name of its content type', async () => {
    const route = routeOf('ExtensionsController_update');
    for (const type of ['application/JSON; charset=UTF-8', 'application/merge-patch+json'])
      expect((await send(route, '{}', { 'content-type': type })).status).toBe(200);
  });

  it.each(Object.entries(NO_TEXT))(
    'as text with %s gets 400 with the name of its field, whatever the field',
    async (_, text) => {
      let fields = 0;
      for (const route of reading())
        for (const [field, { type, format }] of Object.entries(fieldsOf(route))) {
          if (type !== 'string' || `${route.operationId} ${field}` === NEVER_REFUSED) continue;
          fields += 1;
          const { status, body } = await send(route, JSON.stringify({ ...resources.bodyOf(route), [field]: text }));
          const named = body.errors?.some((error: { readonly field: string }) => error.field === field) === true;
          const outcome = `${route.operationId} ${field}: ${status} ${named ? 'named' : body.code}`;
          // An id that is none is the id of nothing; a token of CI is verified before anything is looked for.
          expect(outcome).toMatch(
            format === 'uuid' ? /: (400 named|404 \w+_not_found|401 ci_token_invalid)$/ : /: 400 named$/,
          );
        }
      expect(fields).toBeGreaterThanOrEqual(10);
    },
  );

  it.each(Object.entries(NO_TEXT))('as a secret with %s gets 400 with the name of its field', async (_, text) => {
    const secrets = { publisherId: 'p', clientId: 'c', clientSecret: 's', refreshToken: 'r' };
    for (const field of Object.keys(secrets)) {
      const credentials = { ...secrets, [field]: text };
      const answer = await world.api
        .as({ cookie: resources.owner.cookie })
        .post('/credentials', { store: 'chrome', credentials });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: `credentials.${field}` }] } });
    }
  });

  it('in a query gets 400 with the name of its parameter, or is ignored under an unknown name', async () => {
    for (const text of ['%00', 'a%00b', '%ED%A0%80', '%F0%28%8C%28', '%C0%80', '%', '%zz']) {
      const list = await world.api.as({ token: resources.owner.token }).get(`/extensions?cursor=${text}`);
      expect(list).toMatchObject({ status: 400, body: { errors: [{ field: 'cursor' }] } });
      const version = await world.api
        .as({ token: resources.owner.token })
        .call('POST', `/artifacts?extension=x&version=${text}`);
      expect(version).toMatchObject(invalid);
    }
    const polluting = await world.api
      .as({ token: resources.owner.token })
      .get('/extensions?__proto__[limit]=1&constructor=1');
    expect([200, 400]).toContain(polluting.status);
  });

  it('is named all at once, each field once', async () => {
    const { body } = await world.api.post('/auth/signup', { email: 'x', password: 'x', tenantName: '', more: 1 });
    expect(body.errors.map(({ field }: { readonly field: string }) => field).toSorted()).toEqual([
      'email',
      'more',
      'password',
      'tenantName',
    ]);
    for (const { field } of body.errors) expect(body.detail).toContain(`${field}: `);
  });

  it('is never logged as an error of the service', () => {
    expect(world.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
