import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import ts from 'typescript';
import { startWorld, type World, RouteTable, declaredProblems, scopeOf } from '../support/app.js';

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly allOf?: readonly { readonly properties?: { readonly code?: Schema } }[];
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Described[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Described>> }>>;
  readonly requestBody?: { readonly content?: Readonly<Record<string, Described>> };
}

interface Members {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

interface Described {
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** Those about this API. */
const GUIDES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(new URL('../../docs', import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'examples/http-api.md',
  'src/payments/README.md',
  'test/invariants.md',
  'test/simulator/README.md',
];

const PROBLEM = 'application/problem+json';
const JSON_TYPE = 'application/json';
const FORM = 'multipart/form-data';

describe("the API's own description", () => {
  let world: World;
  let operations: readonly { readonly name: string; readonly operation: Operation }[];
  beforeAll(async () => {
    world = await startWorld({ env: { PUBLIC_URL: 'https://pierhead.example/base' } });
    operations = Object.entries(world.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
  });
  afterAll(() => world.close());

  /** The operations of which something is wrong. */
  const those = (isWrong: (operation: Operation) => boolean): readonly string[] =>
    operations.filter(({ operation }) => isWrong(operation)).map(({ name }) => name);
  const codesOf = ({ responses }: Operation, status: string): readonly string[] =>
    responses[status]?.content?.[PROBLEM]?.schema?.allOf?.flatMap(({ properties }) => properties?.code?.enum ?? []) ??
    [];
  const successesOf = ({ responses }: Operation): readonly string[] =>
    Object.keys(responses).filter((status) => /^[23]/.test(status));
  /** What a description shows as examples, each with the way to its schema. */
  const examplesOf = (operation: Operation): readonly (readonly [at: readonly string[], example: unknown])[] => {
    const bodies = [
      [['requestBody'], operation.requestBody] as const,
      ...successesOf(operation).map((status) => [['responses', status], operation.responses[status]] as const),
    ];
    return [
      ...(operation.parameters ?? []).map(
        ({ example }, at) => [['parameters', String(at), 'schema'], example] as const,
      ),
      ...bodies
        .filter(([, body]) => body?.content?.[JSON_TYPE]?.schema !== undefined)
        .map(([at, body]) => [[...at, 'content', JSON_TYPE, 'schema'], body?.content?.[JSON_TYPE]?.example] as const),
    ];
  };
  const nameIn = (schema?: Schema): string => schema?.$ref?.split('/').at(-1) ?? '';
  const pointerTo = (...parts: readonly string[]): string =>
    parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
  const page = async (
    path: string,
  ): Promise<{ readonly status: number; readonly type: string; readonly text: string }> => {
    const { status, headers, text } = await world.api.get(`/${path}`);
    return { status, type: headers.get('content-type') ?? '', text };
  };

  it.each(GUIDES)('has every route that %s names', (guide) => {
    const text = readFileSync(new URL(`../../${guide}`, import.meta.url), 'utf8');
    const withoutNames = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}');
    const named = [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (?:\/api\/v1)?(\/(?!__sim)[\w{}/-]+)/g)];
    const known = new Set(operations.map(({ name }) => withoutNames(name)));
    // The clients are beside the API.
    const routes = named.map(([, method, path = '']) =>
      path === '/clients/' ? `${method} /clients` : withoutNames(`${method} /api/v1${path}`),
    );
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
  });

  it('is served as JSON and as pages', async () => {
    const json = await page('/api/openapi.json');
    expect(json).toMatchObject({ status: 200, type: expect.stringMatching(/^application\/json/) });
    expect(JSON.parse(json.text)).toEqual(JSON.parse(JSON.stringify(world.document)));
    for (const path of ['/api/docs', '/api/docs/problems'])
      expect(await page(path)).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/html/) });
  });

  it('contains exactly the routes', () => {
    const routes = world.app.get(RouteTable).routes.filter(({ path }) => /^\/(api\/v1|clients)(\/|$)/.test(path));
    expect(operations.map(({ name }) => name).toSorted()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('describes each member of each body', () => {
    const schemas = Object.entries(world.document.components?.schemas ?? {}) as [string, Members][];
    const silent = schemas.flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description = '' }]) => !/^\S.+\.$/s.test(description))
        .map(([name]) => `${schema}.${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('names the address at which it is served', () => {
    expect(world.document.servers).toEqual([{ url: 'https://pierhead.example/base' }]);
  });

  it('says as OpenAPI 3.1 what may be null', () => {
    const { openapi, components } = world.document;
    expect(openapi).toMatch(/^3\.1\./);
    expect(JSON.stringify(world.document)).not.toContain('"nullable"');
    expect(components?.schemas?.['Branding']).toMatchObject({
      properties: {
        displayName: { type: ['string', 'null'] },
        logo: { anyOf: [{ $ref: '#/components/schemas/BrandingLogo' }, { type: 'null' }] },
      },
    });
  });

  it('describes an upload as a form with a file, or as the file', () => {
    const file = { type: 'string', format: 'binary' };
    const uploads = operations.filter(({ operation }) => operation.requestBody?.content?.[FORM] !== undefined);
    expect(uploads.map(({ name }) => name)).toEqual(['POST /api/v1/artifacts', 'POST /api/v1/artifacts/{id}/source']);
    for (const { operation } of uploads) {
      const content = operation.requestBody?.content ?? {};
      expect(Object.keys(content)[0]).toBe(FORM);
      const { [FORM]: form, ...others } = content;
      const { properties = {} } = (world.document.components?.schemas?.[nameIn(form?.schema)] ?? {}) as Members;
      expect(properties['file']).toMatchObject(file);
      expect(Object.values(others).map(({ schema }) => schema)).toEqual(Object.values(others).map(() => file));
    }
  });

  it('has a summary and an answer for each operation', () => {
    expect(those(({ summary = '' }) => !/^[A-Z].{10,}\.$/.test(summary))).toEqual([]);
    expect(those(({ tags = [] }) => tags.length !== 1)).toEqual([]);
    expect(those((operation) => successesOf(operation).length === 0)).toEqual([]);
    const lacksSchema = ({ responses }: Operation, status: string): boolean =>
      !['202', '204', '302'].includes(status) &&
      !Object.values(responses[status]?.content ?? {}).some(({ schema }) => schema !== undefined);
    expect(those((one) => successesOf(one).some((status) => lacksSchema(one, status)))).toEqual([]);
  });

  it('has the access rule of each operation', () => {
    const routes = new Map(world.app.get(RouteTable).routes.map((route) => [route.operationId, route.access]));
    const [bearer, cookie] = [{ bearer: [] }, { cookie: [] }];
    const scheme = {
      bearer: [bearer],
      session: [cookie],
      either: [bearer, cookie],
      public: [],
      signature: [],
    };
    for (const { name, operation } of operations) {
      const access = routes.get(operation.operationId);
      expect({ name, security: operation.security }).toEqual({ name, security: scheme[access?.kind ?? 'public'] });
      if (access?.kind === 'bearer' || access?.kind === 'either') {
        expect({ name, codes: codesOf(operation, '401') }).toEqual({ name, codes: ['unauthenticated'] });
        expect(codesOf(operation, '403')).toContain('insufficient_scope');
        expect(operation).toMatchObject({ 'x-scope': scopeOf(access.permission) });
      }
      if (access?.kind === 'session') expect(codesOf(operation, '401')).toContain('unauthenticated');
    }
  });

  it('names the problems of each operation, each of them declared with that status', () => {
    const declared = new Map(declaredProblems().map(({ code, status }) => [code, String(status)]));
    for (const { name, operation } of operations)
      for (const status of Object.keys(operation.responses).filter((one) => one >= '400')) {
        const codes = codesOf(operation, status);
        expect({ name, status, count: codes.length }).not.toMatchObject({ count: 0 });
        for (const code of codes) expect({ name, code, status: declared.get(code) }).toEqual({ name, code, status });
      }
    expect(those((operation) => !codesOf(operation, '500').includes('internal'))).toEqual([]);
    const lacksBodyProblems = (operation: Operation): boolean =>
      ['400', '413', '415'].some((status) => codesOf(operation, status).length === 0);
    expect(those((one) => one.requestBody !== undefined && lacksBodyProblems(one))).toEqual([]);
  });

  it('lists auth first, and describes each tag', () => {
    const { tags = [] } = world.document;
    expect(tags[0]?.name).toBe('auth');
    expect(tags.filter(({ description = '' }) => !/^[A-Z].{10,}\.$/.test(description))).toEqual([]);
    expect(new Set(tags.map(({ name }) => name))).toEqual(
      new Set(operations.flatMap(({ operation }) => operation.tags ?? [])),
    );
  });

  it('shows an example of each parameter, each JSON body and each JSON answer, which its schema allows', () => {
    const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
    ajv.addSchema(world.document, 'openapi');
    const faults = Object.entries(world.document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods as Record<string, Operation>).flatMap(([method, operation]) =>
          examplesOf(operation).map(([at, example]) => ({ pointer: pointerTo('paths', path, method, ...at), example })),
        ),
      )
      .filter(
        ({ pointer, example }) => example === undefined || !ajv.validate({ $ref: `openapi#${pointer}` }, example),
      );
    expect(faults).toEqual([]);
  });

  it('has no broken references', () => {
    const text = JSON.stringify(world.document);
    const names = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
    expect(names).toEqual(new Set(Object.keys(world.document.components?.schemas ?? {})));
  });

  it('has an entry for each problem, and each problem links to its own', async () => {
    const { text } = await page('/api/docs/problems');
    for (const { code, status } of declaredProblems())
      expect(text).toMatch(
        new RegExp(
          `<section id="${code}"><h2><code>${code}</code></h2><p>${status} · .+?</p><dl><dt>Cause</dt><dd>.{10,}?</dd><dt>Remedy</dt><dd>.{10,}?</dd>`,
        ),
      );
    const [, reference = ''] = /<a href="([^"#]+)">API reference</.exec(text) ?? [];
    expect(new URL(reference, 'http://service/api/docs/problems').pathname).toBe('/api/docs');
    const { body } = await world.api.get('/auth/me');
    expect(body.type).toBe('https://pierhead.example/base/api/docs/problems#unauthenticated');
  });
});

const SRC = new URL('../../src/', import.meta.url);
const METHODS: ReadonlySet<string> = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete', 'Sse']);

const CONTROLLERS = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.controller.ts'),
);

const decoratorsOf = (method: ts.MethodDeclaration): readonly string[] =>
  (ts.getDecorators(method) ?? []).map(({ expression }) => expression.getText().split('(')[0] ?? '');

/** The routes of a controller's source: its methods with a decorator such as `@Get`. */
function routesOf(path: string): readonly ts.MethodDeclaration[] {
  const source = ts.createSourceFile(path, readFileSync(new URL(path, SRC), 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => members.filter(ts.isMethodDeclaration))
    .filter((method) => decoratorsOf(method).some((name) => METHODS.has(name)));
}

describe.each(CONTROLLERS)('%s', (path) => {
  const routes = routesOf(path);
  const those = (isWrong: (route: ts.MethodDeclaration) => boolean): readonly string[] =>
    routes.filter(isWrong).map(({ name }) => name.getText());

  it('has a summary of each route, pages and probes included', () => {
    expect(routes.length).toBeGreaterThan(0);
    expect(those((route) => !decoratorsOf(route).includes('ApiOperation'))).toEqual([]);
  });

  it('answers each route with one statement', () => {
    expect(those(({ body }) => body?.statements.length !== 1)).toEqual([]);
  });
});
