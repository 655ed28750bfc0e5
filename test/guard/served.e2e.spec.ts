import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, DataSource } from '../support/app.js';
import { Resources } from './every-resource.js';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly requestId?: string;
  readonly tenantId?: string;
  readonly req?: { readonly method: string; readonly path: string };
  readonly res?: { readonly status: number };
  readonly ms?: number;
}

describe('a running service', () => {
  let world: World;
  beforeAll(async () => {
    // Of its own, since it counts from its start.
    world = await startWorld({ env: {} });
  });
  afterAll(() => world.close());

  const lines = (): readonly Line[] => world.log.map((line) => JSON.parse(line) as Line);
  const lineOf = (requestId: string | null): readonly Line[] =>
    lines().filter((line) => line.msg === 'request' && line.requestId === requestId);

  it('reports that it is live and ready', async () => {
    expect(await world.api.get('//health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ready = await world.api.get('//health/ready');
    expect(ready).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(ready.body.details).toEqual({
      database: { status: 'up' },
      migrations: { status: 'up' },
      blobs: { status: 'up' },
      disk: { status: 'up' },
      keys: { status: 'up' },
      // Tells, and does not decide.
      backup: { status: 'up', lastOutcome: null, ageSeconds: null, sizeBytes: null },
    });
  });

  it('is not ready while its disk is full', async () => {
    const probe = join(world.dataDir, 'uploads', 'probe');
    await world.forward(10_000);
    // Whatever is written there meets a full disk.
    await mkdir(dirname(probe), { recursive: true });
    await symlink('/dev/full', probe);
    const full = await world.api.get('//health/ready');
    expect(full).toMatchObject({
      status: 503,
      body: { details: { blobs: { status: 'up' }, disk: { status: 'down' } } },
    });
    expect((await world.api.get('//health/ready')).status).toBe(503);
    await world.forward(10_000);
    expect((await world.api.get('//health/ready')).status).toBe(200);
    expect(await readdir(dirname(probe))).toEqual([]);
  });

  it('counts requests by route and status, without ids or addresses', async () => {
    const tenant = await world.given.tenant();
    const id = await world.given.extension(tenant);
    await world.api.as(tenant).get(`/extensions/${id}`);
    await world.api.get('/nowhere/at/all');
    const { status, headers, text } = await world.api.get('//metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /http_request_seconds_count\{method="GET",route="\/api\/v1\/extensions\/\{id\}",status="200"\} 1/,
    );
    expect(text).toMatch(/http_request_seconds_count\{method="GET",route="none",status="404"\} 1/);
    expect(text).toContain('process_cpu_seconds_total');
    for (const secret of [id, tenant.tenantId, tenant.email, 'nowhere']) expect(text).not.toContain(secret);
  });

  it('answers 404 for unknown paths, and 405 for unknown methods', async () => {
    const nothing = await world.api.get('/nothing/here?secret=MARKED');
    expect(nothing).toMatchObject({ status: 404, body: { code: 'not_found', instance: '/api/v1/nothing/here' } });
    expect(nothing.text).not.toContain('MARKED');
    for (const path of ['//nowhere', '//health', '//api/v2/extensions', '//%ff'])
      expect(await world.api.get(path)).toMatchObject({
        status: 404,
        body: { instance: path.slice(1) },
      });
    for (const [method, path, allowed] of [
      ['PUT', '/extensions', 'POST, GET'],
      ['DELETE', '/auth/login', 'POST'],
      ['POST', '/auth/me', 'GET'],
      ['OPTIONS', '/access-tokens/x', 'DELETE'],
      ['POST', '//health/live', 'GET'],
    ] as const) {
      const { status, body, headers } = await world.api.call(method, path);
      expect({ method, path, status, code: body?.code, allow: headers.get('allow') }).toEqual({
        method,
        path,
        status: 405,
        code: 'method_not_allowed',
        allow: allowed,
      });
    }
  });

  it('answers browsers with a page for unknown paths that are no address of the console', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    for (const path of ['//health/<b>nowhere', '//buyer/<b>nowhere']) {
      const { status, text, headers: answered } = await world.api.call('GET', path, undefined, { headers });
      expect({ status, type: answered.get('content-type') }).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
      expect(text).toContain('Route not found');
      expect(text).not.toContain('<b>');
    }
    expect(await world.api.get('/nothing/here', { headers })).toMatchObject({ body: { code: 'not_found' } });
    const forScripts = await world.api.call('GET', '//nowhere', undefined, { headers: { accept: '*/*' } });
    expect(forScripts.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('serves the schema of pierhead.json as it is committed', async () => {
    const { status, headers, body } = await world.api.get('//schemas/pierhead.json');
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/schema+json; charset=utf-8',
    });
    const committed = new URL('../../clients/cli/schema/pierhead.schema.json', import.meta.url);
    expect(body).toEqual(JSON.parse(await readFile(committed, 'utf8')));
  });

  it('answers problems in the form of RFC 9457, with the request id of the log', async () => {
    const { status, headers, body } = await world.api.get('/extensions/x?y=z');
    expect(status).toBe(401);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body).toEqual({
      type: 'http://127.0.0.1:0/api/docs/problems#unauthenticated',
      title: 'Not authenticated',
      status: 401,
      code: 'unauthenticated',
      reason: 'missing',
      detail: expect.stringMatching(/\.$/),
      instance: '/api/v1/extensions/x',
      requestId: headers.get('x-request-id'),
    });
    expect(lineOf(body.requestId)).toHaveLength(1);
  });

  it('logs a request with its tenant', async () => {
    const tenant = await world.given.tenant();
    for (const { token, cookie } of [
      { ...tenant, cookie: '' },
      { ...tenant, token: '' },
    ]) {
      const { headers } = await world.api.as({ token, cookie }).get(token === '' ? '/auth/me' : '/extensions');
      expect(lineOf(headers.get('x-request-id'))).toMatchObject([{ tenantId: tenant.tenantId }]);
    }
  });

  it('sends security headers to browsers', async () => {
    const { headers } = await world.api.get('/auth/me');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('logs one line per request: its id, method, path, status and duration, and nothing of its content', async () => {
    const resources = await Resources.in(world);
    const { token, cookie, password } = resources.owner;
    const before = lines().filter(({ msg }) => msg === 'request').length;
    const answers = [
      await world.api.as({ token }).get('/extensions?limit=7'),
      await world.api.as({ cookie }).get('/auth/me'),
      await world.api.post('/auth/login', { email: 'MARKED@author.example', password: 'MARKED password' }),
      await world.api.get('/nothing?token=MARKED', {
        headers: { authorization: 'Bearer MARKED', cookie: 'svc_session=MARKED' },
      }),
      await world.api.post('/auth/login', undefined, {
        raw: '{"password":"MARKED',
        headers: { 'content-type': 'application/json' },
      }),
      await world.api.as({ cookie }).post('/credentials', { store: 'chrome', credentials: { clientSecret: 'MARKED' } }),
    ];
    const logged = answers.map(({ headers }) => lineOf(headers.get('x-request-id')));
    expect(
      logged.map((found) => found.map(({ level, req, res }) => `${level} ${req?.method} ${req?.path} ${res?.status}`)),
    ).toEqual([
      ['info GET /api/v1/extensions 200'],
      ['info GET /api/v1/auth/me 200'],
      ['info POST /api/v1/auth/login 401'],
      ['info GET none 404'],
      ['info POST /api/v1/auth/login 400'],
      ['info POST /api/v1/credentials 400'],
    ]);
    for (const [line] of logged) expect(line?.ms).toBeGreaterThanOrEqual(0);
    expect(lines().filter(({ msg }) => msg === 'request')).toHaveLength(before + answers.length);
    const everything = world.log.join('\n');
    expect(everything).not.toContain('MARKED');
    for (const secret of [token, cookie.slice('svc_session='.length), password])
      expect(everything).not.toContain(secret);
  });

  it.each(['K7QXA-9M2TD-4WE8R-CODE', 'a-session-that-somebody-pasted', 'rubbish'.repeat(2000)])(
    'logs %.20s… in a path as the name of the parameter',
    async (value) => {
      const id = randomUUID();
      const answers = [
        await world.api.get(`/licensing/keys/${value}`),
        await world.api.post(`/licensing/webhooks/${value}/${id}`, {}),
        await world.api.get(`/extensions/${value}/targets`),
        await world.api.get(`/licensing/keys/${id}`),
      ];
      const paths = answers.map(({ headers }) => lineOf(headers.get('x-request-id'))[0]?.req?.path);
      expect(paths).toEqual([
        '/api/v1/licensing/keys/{extensionId}',
        `/api/v1/licensing/webhooks/{processor}/${id}`,
        '/api/v1/extensions/{id}/targets',
        `/api/v1/licensing/keys/${id}`,
      ]);
      expect(world.log.some((line) => line.includes(value))).toBe(false);
    },
  );
});

describe('a service without its database', () => {
  it('is live, reports which part is down, answers 500 without the reason, and logs the reason', async () => {
    const world = await startWorld({ env: {} });
    const tenant = await world.given.tenant();
    await world.app.get(DataSource).destroy();
    expect((await world.api.get('//health/live')).status).toBe(200);
    const ready = await world.api.get('//health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({
      status: 'error',
      details: { database: { status: 'down' }, migrations: { status: 'down' }, blobs: { status: 'up' } },
    });
    const { status, body } = await world.api.as(tenant).get('/extensions');
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal' });
    expect(body.detail).not.toMatch(/database|connection|driver/i);
    expect(world.log.some((line) => line.includes(body.requestId) && line.includes('"level":"error"'))).toBe(true);
    await world.app.get(DataSource).initialize();
    expect((await world.api.get('//health/ready')).status).toBe(200);
    await world.close();
  });
});
