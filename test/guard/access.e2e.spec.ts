import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from '../../src/common/http/index.js';
import type { Answer } from '../support/api.js';
import { allows, RouteTable, SCOPES, startWorld, type World } from '../support/app.js';
import type { Tenant } from '../support/given.js';
import { Estate } from './estate.js';

const STRANGE_IDS = ['no-uuid', '%00', '%ED%A0%80', "'%20or%20true%20--", '..%2Fextensions'];

describe('every route', () => {
  let world: World;
  let estate: Estate;
  let stranger: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    estate = await Estate.in(world);
    stranger = await world.given.tenant();
  });
  afterAll(() => world.close());

  const those = (kind: Route['access']['kind']): readonly Route[] =>
    estate.routes.filter(({ access }) => access.kind === kind);
  /** What each route answers, as lines to compare. */
  const answersOf = async (routes: readonly Route[], ask: (route: Route) => Promise<Answer>): Promise<string[]> => {
    const lines: string[] = [];
    for (const route of routes) {
      const { status, body } = await ask(route);
      lines.push(`${route.method} ${route.path}: ${status} ${body?.code}`);
    }
    return lines;
  };
  const expected = (routes: readonly Route[], outcome: string): string[] =>
    routes.map(({ method, path }) => `${method} ${path}: ${outcome}`);

  it('has an access rule, and only the listed routes are public', () => {
    expect(those('bearer').length).toBeGreaterThanOrEqual(15);
    expect(those('session').length).toBeGreaterThanOrEqual(10);
    expect(those('signature').map(({ path }) => path)).toEqual([
      '/api/v1/licensing/webhooks/payment/{tenantId}',
      '/api/v1/licensing/webhooks/{processor}/{tenantId}',
    ]);
    const all = world.app.get(RouteTable).routes.filter(({ access }) => access.kind === 'public');
    expect(all.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /',
      'GET /api/v1/licensing/keys/{extensionId}',
      'GET /api/v1/stores',
      'GET /buyer',
      'GET /buyer/enter',
      'GET /buyer/licenses',
      'GET /health/live',
      'GET /health/ready',
      'GET /metrics',
      'GET /notifications/confirm',
      'POST /api/v1/analytics/ping',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/signup',
      'POST /api/v1/licensing/activate',
      'POST /api/v1/licensing/check',
      'POST /api/v1/licensing/claim',
      'POST /api/v1/licensing/release',
      'POST /buyer/enter',
      'POST /buyer/leave',
      'POST /buyer/link',
      'POST /buyer/release',
      'POST /buyer/rotate',
      'POST /notifications/confirm',
    ]);
  });

  it('answers 401 without authentication, unless it is public', async () => {
    const closed = [...those('bearer'), ...those('session')];
    expect(await answersOf(closed, (route) => estate.ask(route, {}))).toEqual(expected(closed, '401 unauthenticated'));
  });

  it('for scripts refuses sessions, and routes for people refuse tokens', async () => {
    const { token, cookie } = estate.owner;
    const scripts = those('bearer');
    expect(await answersOf(scripts, (route) => estate.ask(route, { cookie }))).toEqual(
      expected(scripts, '401 unauthenticated'),
    );
    const people = those('session');
    expect(await answersOf(people, (route) => estate.ask(route, { token }))).toEqual(
      expected(people, '401 unauthenticated'),
    );
  });

  it('answers 403 to every scope but its own', async () => {
    const routes = those('bearer');
    const scopeOf = ({ access }: Route) => (access.kind === 'bearer' ? access.scope : 'analytics:read');
    for (const scope of SCOPES) {
      const token = await world.given.token(estate.owner, [scope]);
      const wrong = routes.filter((route) => !allows([scope], scopeOf(route)));
      expect(await answersOf(wrong, (route) => estate.ask(route, { token }))).toEqual(
        expected(wrong, '403 insufficient_scope'),
      );
    }
  });

  it('answers 404 for resources of another tenant, and changes nothing', async () => {
    const routes = [...those('bearer'), ...those('session')].filter((route) => estate.isAbout(route));
    expect(routes.length).toBeGreaterThanOrEqual(18);
    const before = await estate.snapshot();
    const { token, cookie } = stranger;
    for (const route of routes) {
      const { status, body } = await estate.ask(route, route.access.kind === 'bearer' ? { token } : { cookie });
      expect(`${route.method} ${route.path}: ${status} ${body?.code}`).toMatch(/: 404 \w+_not_found$/);
    }
    expect(await estate.snapshot()).toEqual(before);
  });

  it('answers 404 for ids that do not exist, in any form', async () => {
    const routes = [...those('bearer'), ...those('session')].filter((route) => estate.isAbout(route));
    const { token, cookie } = estate.owner;
    for (const id of [randomUUID(), ...STRANGE_IDS])
      for (const route of routes) {
        const { status, body } = await estate.ask(route, route.access.kind === 'bearer' ? { token } : { cookie }, id);
        const line = `${route.method} ${route.path} of ${id.slice(0, 40)}: ${status} ${body?.code}`;
        // What is no text at all cannot be read as a path.
        const isNoText = id === '%ED%A0%80' && route.path.includes('{');
        expect(line).toMatch(isNoText ? /: 400 invalid_request$/ : /: 404 \w+_not_found$/);
      }
  });
});
