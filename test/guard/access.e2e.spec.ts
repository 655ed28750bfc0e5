import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../src/common/access/index.js';
import type { Route } from '../../src/common/http/index.js';
import type { Answer, Identity } from '../support/api.js';
import { allows, ROLE_PERMISSIONS, ROLES, RouteTable, SCOPES, startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Resources } from './every-resource.js';

const STRANGE_IDS = ['no-uuid', '%00', '%ED%A0%80', "'%20or%20true%20--", '..%2Fextensions'];

const permissionOf = ({ access }: Route): Permission => ('permission' in access ? access.permission : 'account');

describe('every route', () => {
  let world: World;
  let resources: Resources;
  let stranger: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    resources = await Resources.in(world);
    stranger = await world.given.tenant();
  });
  afterAll(() => world.close());

  const those = (...kinds: readonly Route['access']['kind'][]): readonly Route[] =>
    resources.routes.filter(({ access }) => kinds.includes(access.kind));
  /** A console's way to a route: its cookie, or the token that it exchanged its session for. */
  const identityFor = ({ access }: Route, { token, cookie }: Identity): Identity =>
    access.kind === 'bearer' ? { token } : { cookie };
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
    expect(those('session', 'either').length).toBeGreaterThanOrEqual(10);
    expect(those('signature').map(({ path }) => path)).toEqual([
      '/api/v1/stores/announcements/{targetId}',
      '/api/v1/licensing/webhooks/payment/{tenantId}',
      '/api/v1/licensing/webhooks/{processor}/{tenantId}',
    ]);
    const all = world.app.get(RouteTable).routes.filter(({ access }) => access.kind === 'public');
    expect(all.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /',
      'GET /account/reset-password',
      'GET /api/v1/auth/methods',
      'GET /api/v1/auth/oidc',
      'GET /api/v1/auth/oidc/callback',
      'GET /api/v1/licensing/checkout',
      'GET /api/v1/licensing/keys/{extensionId}',
      'GET /api/v1/stores',
      'GET /assets/{name}',
      'GET /buyer',
      'GET /buyer/activate/{extensionId}',
      'GET /buyer/enter',
      'GET /buyer/licenses',
      'GET /buyer/logo/{digest}',
      'GET /buyer/restore',
      'GET /buyer/team/join',
      'GET /buyer/thanks',
      'GET /buyer/trial',
      'GET /cli-login',
      'GET /cli/pierhead.tgz',
      'GET /clients',
      'GET /clients/{file}',
      'GET /gift/{token}',
      'GET /health/live',
      'GET /health/ready',
      'GET /invitation',
      'GET /login-link',
      'GET /metrics',
      'GET /notifications/confirm',
      'GET /notifications/unsubscribe',
      'GET /schemas/pierhead.json',
      'POST /account/reset-password',
      'POST /api/v1/analytics/ping',
      'POST /api/v1/auth/ci',
      'POST /api/v1/auth/cli',
      'POST /api/v1/auth/cli/token',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/password/reset',
      'POST /api/v1/auth/password/reset-request',
      'POST /api/v1/auth/signup',
      'POST /api/v1/invitations/accept',
      'POST /api/v1/invitations/show',
      'POST /api/v1/licensing/activate',
      'POST /api/v1/licensing/check',
      'POST /api/v1/licensing/claim',
      'POST /api/v1/licensing/release',
      'POST /api/v1/licensing/restore',
      'POST /api/v1/licensing/trial',
      'POST /buyer/enter',
      'POST /buyer/leave',
      'POST /buyer/link',
      'POST /buyer/release',
      'POST /buyer/restore',
      'POST /buyer/rotate',
      'POST /buyer/team/invite',
      'POST /buyer/team/join',
      'POST /buyer/team/leave',
      'POST /buyer/team/link',
      'POST /buyer/team/remove',
      'POST /buyer/trial',
      'POST /cli-login',
      'POST /cli-login/sign-in',
      'POST /gift/{token}',
      'POST /invitation',
      'POST /invitation/accept',
      'POST /login-link',
      'POST /notifications/confirm',
      'POST /notifications/unsubscribe',
    ]);
  });

  it('answers 401 without authentication, unless it is public', async () => {
    const closed = those('bearer', 'session', 'either');
    expect(await answersOf(closed, (route) => resources.ask(route, {}))).toEqual(
      expected(closed, '401 unauthenticated'),
    );
  });

  it('for scripts refuses sessions, and routes for people refuse tokens', async () => {
    const { token, cookie } = resources.owner;
    const scripts = those('bearer');
    expect(await answersOf(scripts, (route) => resources.ask(route, { cookie }))).toEqual(
      expected(scripts, '401 unauthenticated'),
    );
    const people = those('session');
    expect(await answersOf(people, (route) => resources.ask(route, { token }))).toEqual(
      expected(people, '401 unauthenticated'),
    );
  });

  it('answers 403 to every scope but its own', async () => {
    const routes = those('bearer', 'either');
    for (const scope of SCOPES) {
      const token = await world.given.token(resources.owner, [scope]);
      const wrong = routes.filter((route) => !allows([scope], permissionOf(route)));
      expect(await answersOf(wrong, (route) => resources.ask(route, { token }))).toEqual(
        expected(wrong, '403 insufficient_scope'),
      );
    }
  });

  it.each([
    ['', async () => undefined],
    [
      ', also to a user who is an owner of both',
      async () => {
        const token = await world.given.invitation(resources.owner, stranger.email, 'owner');
        expectStatus(await world.api.as({ cookie: stranger.cookie }).post('/invitations/join', { token }), 200);
      },
    ],
  ])('answers 404 for resources of another tenant, and changes nothing%s', async (_, prepare) => {
    await prepare();
    const routes = those('bearer', 'session', 'either').filter((route) => resources.isAbout(route));
    expect(routes.length).toBeGreaterThanOrEqual(18);
    const before = await resources.snapshot();
    for (const route of routes) {
      const { status, body } = await resources.ask(route, identityFor(route, stranger));
      expect(`${route.method} ${route.path}: ${status} ${body?.code}`).toMatch(/: 404 \w+_not_found$/);
    }
    expect(await resources.snapshot()).toEqual(before);
  });

  it('answers 404 for ids that do not exist, in any form', async () => {
    const routes = those('bearer', 'session', 'either').filter((route) => resources.isAbout(route));
    for (const id of [randomUUID(), ...STRANGE_IDS])
      for (const route of routes) {
        const { status, body } = await resources.ask(route, identityFor(route, resources.owner), id);
        const line = `${route.method} ${route.path} of ${id.slice(0, 40)}: ${status} ${body?.code}`;
        // What is no text at all cannot be read as a path.
        const isNoText = id === '%ED%A0%80' && route.path.includes('{');
        expect(line).toMatch(isNoText ? /: 400 invalid_request$/ : /: 404 \w+_not_found$/);
      }
  });

  it.each(ROLES)('admits %s exactly where the table of roles says so', async (role) => {
    const member = await world.given.member(resources.owner, role);
    const endsSession = ({ path }: Route): number => ['logout', 'leave'].indexOf(path.split('/').at(-1) ?? '');
    const routes = those('bearer', 'session', 'either').toSorted((a, b) => endsSession(a) - endsSession(b));
    const faults: string[] = [];
    for (const route of routes) {
      const permission = permissionOf(route);
      const caller = endsSession(route) < 0 ? member : await world.given.loggedIn(member);
      const { status, body } = await resources.ask(route, identityFor(route, caller), randomUUID());
      const isRefused = status === 403 && body.code === 'role_not_allowed';
      const isAllowed = ROLE_PERMISSIONS[role].includes(permission);
      const line = `${route.method} ${route.path}: ${status} ${body?.code} ${body?.role} ${body?.permission}`;
      if (isRefused === isAllowed || (isRefused && !line.endsWith(` ${role} ${permission}`))) faults.push(line);
      if (status === 401) faults.push(line);
    }
    expect(faults).toEqual([]);
  });

  it('says in its description which roles may', () => {
    const described = Object.values(world.document.paths).flatMap((path) => Object.values(path) as Described[]);
    for (const route of those('bearer', 'session', 'either')) {
      const operation = described.find(({ operationId }) => operationId === route.operationId);
      const roles = ROLES.filter((role) => ROLE_PERMISSIONS[role].includes(permissionOf(route)));
      expect(operation).toMatchObject({ 'x-roles': roles, description: expect.stringMatching(/ may do this/) });
    }
  });
});

interface Described {
  readonly operationId: string;
}
