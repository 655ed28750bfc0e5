import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/common/http/index.js';
import { declaredProblems } from '../../src/common/problems/index.js';
import { startWorld, type World } from '../support/app.js';

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
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
  readonly requestBody?: unknown;
}

const PROBLEM = 'application/problem+json';

/** Tags whose operations say in a comment alone what they do. */
const WITHOUT_SUMMARY: ReadonlySet<string> = new Set(['artifacts', 'reconcile']);

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
    Object.keys(responses).filter((status) => status.startsWith('2'));
  const page = async (
    path: string,
  ): Promise<{ readonly status: number; readonly type: string; readonly text: string }> => {
    const { status, headers, text } = await world.api.get(`/${path}`);
    return { status, type: headers.get('content-type') ?? '', text };
  };

  it('is served as JSON and as pages', async () => {
    const json = await page('/api/openapi.json');
    expect(json).toMatchObject({ status: 200, type: expect.stringMatching(/^application\/json/) });
    expect(JSON.parse(json.text)).toEqual(JSON.parse(JSON.stringify(world.document)));
    for (const path of ['/api/docs', '/api/docs/problems'])
      expect(await page(path)).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/html/) });
  });

  it('has every route in it, and nothing else', () => {
    const routes = world.app.get(RouteTable).routes.filter(({ path }) => path.startsWith('/api/v1/'));
    expect(operations.map(({ name }) => name).toSorted()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('says of each operation what it does, and what comes back', () => {
    const saysNothing = ({ summary = '' }: Operation): boolean => !/^[A-Z].{10,}\.$/.test(summary);
    expect(those((one) => saysNothing(one) && !WITHOUT_SUMMARY.has(one.tags?.[0] ?? ''))).toEqual([]);
    expect(those(({ tags = [] }) => tags.length !== 1)).toEqual([]);
    expect(those((operation) => successesOf(operation).length === 0)).toEqual([]);
    const lacksSchema = ({ responses }: Operation, status: string): boolean =>
      !['202', '204'].includes(status) &&
      !Object.values(responses[status]?.content ?? {}).some(({ schema }) => schema !== undefined);
    expect(those((one) => successesOf(one).some((status) => lacksSchema(one, status)))).toEqual([]);
  });

  it('says of each operation who may ask', () => {
    const routes = new Map(world.app.get(RouteTable).routes.map((route) => [route.operationId, route.access]));
    const scheme = { bearer: [{ bearer: [] }], session: [{ cookie: [] }], public: undefined, signature: undefined };
    for (const { name, operation } of operations) {
      const access = routes.get(operation.operationId);
      expect({ name, security: operation.security }).toEqual({ name, security: scheme[access?.kind ?? 'public'] });
      if (access?.kind === 'bearer') {
        expect({ name, codes: codesOf(operation, '401') }).toEqual({ name, codes: ['unauthenticated'] });
        expect(codesOf(operation, '403')).toContain('insufficient_scope');
        expect(operation).toMatchObject({ 'x-scope': access.scope });
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

  it('refers only to what is in it', () => {
    const text = JSON.stringify(world.document);
    const names = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
    expect(names).toEqual(new Set(Object.keys(world.document.components?.schemas ?? {})));
  });

  it('has an entry for each problem, and each problem links to its own', async () => {
    const { text } = await page('/api/docs/problems');
    for (const { code, status } of declaredProblems())
      expect(text).toMatch(new RegExp(`<dt id="${code}"><code>${code}</code></dt><dd>${status}: `));
    const { body } = await world.api.get('/auth/me');
    expect(body.type).toBe('https://pierhead.example/base/api/docs/problems#unauthenticated');
  });
});
