import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateKeyPair, type JWTPayload } from 'jose';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { CiIssuer, type Signing } from '../support/ci-issuer.js';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a job of a CI service', () => {
  let issuer: CiIssuer;
  let stranger: CiIssuer;
  let world: World;
  let audience: string;
  let owner: Tenant;
  beforeAll(async () => {
    [issuer, stranger] = await Promise.all([CiIssuer.start(), CiIssuer.start()]);
    world = await startWorld({ env: { CI_ISSUERS: issuer.url, PUBLIC_URL: 'https://pierhead.example' } });
    audience = 'https://pierhead.example';
    owner = await world.given.tenant();
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([issuer.close(), stranger.close()]);
  });

  let repository: string;
  beforeEach(() => {
    repository = `acme/${randomUUID()}`;
  });

  const seconds = (ms = 0): number => Math.floor((world.clock.now().getTime() + ms) / SECOND);
  /** The claims of a job, as GitHub Actions writes them. */
  const claimsOf = (claims: JWTPayload = {}): JWTPayload => ({
    iss: issuer.url,
    aud: audience,
    jti: randomUUID(),
    iat: seconds(),
    nbf: seconds(-10 * MINUTE),
    exp: seconds(5 * MINUTE),
    sub: `repo:${repository}:ref:refs/tags/v1.2.0`,
    repository,
    repository_id: '74',
    repository_owner_id: '65',
    ref: 'refs/tags/v1.2.0',
    event_name: 'push',
    run_id: '2468',
    ...claims,
  });
  const token = (claims?: JWTPayload, signing?: Signing): Promise<string> => issuer.sign(claimsOf(claims), signing);
  const exchange = (text: string, from: object = { tenantId: owner.tenantId }): Promise<Answer> =>
    world.api.post('/auth/ci', { token: text, ...from });
  const trust = async ({ cookie }: Tenant, rule: object = {}): Promise<Answer> =>
    world.api.as({ cookie }).post('/ci/trust-rules', {
      name: 'Releases',
      repository,
      ref: 'refs/tags/v*',
      scopes: ['artifacts:write'],
      ...rule,
    });
  const trusting = async (rule: object = {}, tenant = owner): Promise<Tenant & { readonly ruleId: string }> => ({
    ...tenant,
    ruleId: expectStatus(await trust(tenant, rule), 201).body.id,
  });
  const invalid = (fault: string): object => ({ status: 401, body: { code: 'ci_token_invalid', fault } });

  it('is trusted by the address of its repository, too', async () => {
    const address = `https://github.com/${repository}/tree/main`;
    expect(expectStatus(await trust(owner, { repository: address }), 201).body.repository).toBe(
      repository.toLowerCase(),
    );
    const refused = await trust(owner, { repository: 'https://github.com/acme' });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'repository' }] } });
  });

  it('exchanges its token for an access token with what the rule gives, for fifteen minutes', async () => {
    const tenant = await trusting({ scopes: ['extensions:write'] });
    const answer = await exchange(await token());
    expect(answer).toMatchObject({
      status: 200,
      body: {
        tenantId: tenant.tenantId,
        rule: 'Releases',
        scopes: ['extensions:write'],
        extensionIds: null,
        expiresAt: new Date(world.clock.now().getTime() + 15 * MINUTE).toISOString(),
      },
    });
    const api = world.api.as({ token: answer.body.token });
    expectStatus(await api.post('/extensions', { name: 'Night Owl' }), 201);
    expect(await api.get('/licenses')).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    world.clock.forward(15 * MINUTE);
    expect((await api.get('/extensions')).status).toBe(401);
  });

  it('gets an access token that is neither listed nor counted, and that ends with its rule', async () => {
    const tenant = await trusting({ scopes: ['extensions:read'] });
    const given = expectStatus(await exchange(await token()), 200).body.token;
    const session = world.api.as({ cookie: tenant.cookie });
    expect((await session.get('/access-tokens')).body.items).toHaveLength(1);
    const [rule] = (await session.get('/ci/trust-rules')).body.items;
    expect(rule).toMatchObject({ id: tenant.ruleId, repositoryId: '74', lastUsedAt: world.clock.now().toISOString() });
    expectStatus(await world.api.as({ token: given }).get('/extensions'), 200);
    expectStatus(await session.delete(`/ci/trust-rules/${tenant.ruleId}`), 204);
    expect((await world.api.as({ token: given }).get('/extensions')).status).toBe(401);
    expect(await exchange(await token())).toMatchObject({ status: 403, body: { code: 'trust_rule_missing' } });
  });

  it('exchanges each token once, even ten times at once, and however its signature is written', async () => {
    await trusting();
    const one = await token();
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(one)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('ci_token_used');
    world.clock.forward(5 * MINUTE);
    expect((await exchange(one)).status).toBe(409);
    const nameless = await token({ jti: undefined });
    expect((await exchange(nameless)).status).toBe(200);
    expect((await exchange(nameless)).status).toBe(409);
    // Signed twice with ES256, the same claims have two signatures.
    await issuer.rotate('ES256');
    world.clock.forward(HOUR);
    const claims = claimsOf({ jti: undefined });
    expect((await exchange(await issuer.sign(claims))).status).toBe(200);
    expect((await exchange(await issuer.sign(claims))).status).toBe(409);
    await issuer.rotate();
    world.clock.forward(HOUR);
  });

  it('exchanges no token a second time at a server whose clock is behind', async () => {
    await trusting();
    const one = await token();
    expect((await exchange(one)).status).toBe(200);
    world.clock.forward(6 * MINUTE);
    expect((await exchange(await token())).status).toBe(200);
    world.clock.forward(-MINUTE);
    expect((await exchange(one)).status).toBe(409);
    world.clock.forward(MINUTE);
  });

  it('keeps a token that no rule covered, to exchange it once there is one', async () => {
    const one = await token();
    expect((await exchange(one)).status).toBe(403);
    await trusting();
    expect((await exchange(one)).status).toBe(200);
  });

  it('learns what was compared when no rule covers it', async () => {
    await trusting();
    expect(await exchange(await token({ ref: 'refs/heads/dev', environment: 'test' }))).toMatchObject({
      status: 403,
      body: {
        code: 'trust_rule_missing',
        detail: `No trust rule covers ${repository}, ref refs/heads/dev, environment test, event push. Add a rule with this repository, and this ref or environment.`,
        run: { issuer: issuer.url, repository, ref: 'refs/heads/dev', environment: 'test', event: 'push' },
      },
    });
  });

  it('learns of an event that no rule trusts that another rule would not help', async () => {
    await trusting();
    const refused = await exchange(await token({ event_name: 'pull_request_target' }));
    expect(refused).toMatchObject({ status: 403, body: { code: 'trust_rule_missing' } });
    expect(refused.body.detail).toContain('runs of the event pull_request_target, so no rule trusts them');
    expect(refused.body.detail).not.toContain('Add a rule');
  });

  it.each<[string, JWTPayload]>([
    ['another repository', { repository: 'mallory/tab-counter' }],
    ['a repository whose name only begins so', { repository: 'acme' }],
    ['another branch', { ref: 'refs/heads/v1' }],
    ["a fork's pull request", { event_name: 'pull_request', ref: 'refs/pull/7/merge' }],
    ["a fork's pull request that runs with the ref of its target", { event_name: 'pull_request_target' }],
    ['a run that follows another one', { event_name: 'workflow_run' }],
  ])('of %s is not trusted', async (_, claims) => {
    await trusting();
    expect(await exchange(await token(claims))).toMatchObject({ status: 403, body: { code: 'trust_rule_missing' } });
  });

  it('of a repository that took over a trusted name is not trusted', async () => {
    await trusting();
    expect((await exchange(await token())).status).toBe(200);
    for (const other of [{ repository_id: '75' }, { repository_owner_id: '66' }, { repository_id: undefined }])
      expect(await exchange(await token(other))).toMatchObject({
        status: 403,
        body: { code: 'trust_rule_missing', detail: expect.stringContaining('first used by another repository') },
      });
    expect((await exchange(await token())).status).toBe(200);
  });

  it('of an environment is trusted by a rule for it', async () => {
    await trusting({ ref: undefined, environment: 'store' });
    expect((await exchange(await token({ environment: 'store', ref: 'refs/heads/x' }))).status).toBe(200);
    expect((await exchange(await token())).status).toBe(403);
  });

  it('names the tenant or the extension, so that a stranger who trusts the run too neither gets it nor stops it', async () => {
    const [tenant, other] = [await trusting(), await trusting({}, await world.given.tenant())];
    const [extension, others] = [await world.given.extension(tenant), await world.given.extension(other)];
    const text = await token();
    expect(await exchange(text, {})).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'tenantId', message: expect.stringContaining('extension') }] },
    });
    for (const from of [
      { tenantId: randomUUID() },
      { extension: randomUUID() },
      { tenantId: tenant.tenantId, extension: others },
      { tenantId: 'no id' },
    ])
      expect(await exchange(text, from)).toMatchObject({ status: 403, body: { code: 'trust_rule_missing' } });
    expect((await exchange(text, { tenantId: other.tenantId })).body.tenantId).toBe(other.tenantId);
    for (const from of [{ tenantId: tenant.tenantId }, { extension }, { tenantId: tenant.tenantId, extension }])
      expect((await exchange(await token(), from)).body.tenantId).toBe(tenant.tenantId);
    expectStatus(await world.api.as({ cookie: owner.cookie }).delete(`/ci/trust-rules/${tenant.ruleId}`), 204);
    for (const from of [{ tenantId: tenant.tenantId }, { extension }])
      expect((await exchange(await token(), from)).status).toBe(403);
  });

  it('gets the oldest rule that covers it, or the oldest one for an extension', async () => {
    const tenant = await world.given.tenant();
    const [first, second] = [await world.given.extension(tenant), await world.given.extension(tenant)];
    for (const id of [first, second]) expectStatus(await trust(tenant, { extensionIds: [id] }), 201);
    const { tenantId } = tenant;
    expect((await exchange(await token(), { tenantId })).body.extensionIds).toEqual([first]);
    expect((await exchange(await token(), { extension: second })).body.extensionIds).toEqual([second]);
  });

  it('restricted to an extension gets nothing of another', async () => {
    const tenant = await world.given.tenant();
    const [mine, other] = [await world.given.extension(tenant), await world.given.extension(tenant)];
    expectStatus(await trust(tenant, { extensionIds: [mine], scopes: ['extensions:write'] }), 201);
    const api = world.api.as({ token: (await exchange(await token(), { extension: mine })).body.token });
    expect((await api.get(`/extensions/${mine}`)).status).toBe(200);
    expect(await api.get(`/extensions/${other}`)).toMatchObject({ status: 404, body: { code: 'extension_not_found' } });
  });

  describe('with a token that', () => {
    it.each<[string, () => Promise<string>, string]>([
      ['is for another audience', () => token({ aud: 'https://github.com/acme' }), 'audience'],
      ['is for another audience too', () => token({ aud: [audience, 'https://other.example'] }), 'audience'],
      ['is for nobody', () => token({ aud: undefined }), 'malformed'],
      ['has expired', () => token({ exp: seconds(-31 * SECOND) }), 'expired'],
      ['never expires', () => token({ exp: undefined }), 'malformed'],
      ['was made two days ago', () => token({ iat: seconds(-2 * DAY) }), 'expired'],
      ['will be made', () => token({ iat: seconds(MINUTE) }), 'not_yet_valid'],
      ['is not valid yet', () => token({ nbf: seconds(MINUTE) }), 'not_yet_valid'],
      ['expires at no number', () => token({ exp: 'tomorrow' as never }), 'malformed'],
      ['names another issuer', () => stranger.sign(claimsOf({ iss: stranger.url })), 'issuer'],
      ['names no issuer', () => token({ iss: undefined }), 'issuer'],
      ['names an issuer that is no text', () => token({ iss: [issuer.url] as never }), 'issuer'],
      ['names no repository', () => token({ repository: undefined }), 'malformed'],
      ['is signed by another issuer', () => stranger.sign(claimsOf()), 'unknown_key'],
      [
        'is signed by another issuer under a known key id',
        () => stranger.sign(claimsOf(), { kid: kid() }),
        'signature',
      ],
      ['names a path as its key id', () => token({}, { kid: '../../keys' }), 'unknown_key'],
      ['names a URL as its key id', () => token({}, { kid: `${stranger.url}/keys` }), 'unknown_key'],
      ['is signed with the public key as a secret', () => token({}, { alg: 'HS256', key: secret() }), 'algorithm'],
      [
        'is signed by an algorithm that its key is not for',
        async () => token({}, { alg: 'ES256', key: (await generateKeyPair('ES256')).privateKey }),
        'unknown_key',
      ],
      [
        'brings its own key',
        async () => stranger.sign(claimsOf(), { header: { jwk: stranger.publicKey } }),
        'unknown_key',
      ],
      [
        'says where its key is',
        async () => stranger.sign(claimsOf(), { header: { jku: `${stranger.url}/keys` } }),
        'unknown_key',
      ],
      ['has no signature', async () => `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claimsOf())}.`, 'algorithm'],
      ['has an empty signature', async () => `${(await token()).split('.').slice(0, 2).join('.')}.`, 'signature'],
      ['was changed', async () => changed(await token()), 'signature'],
      ['is cut off', async () => (await token()).slice(0, 200), 'malformed'],
      ['is none', async () => 'token', 'malformed'],
      ['is of nothing', async () => '..', 'malformed'],
    ])('%s is refused', async (_, made, fault) => {
      expect(await exchange(await made())).toMatchObject(invalid(fault));
    });

    const kid = (): string => issuer.publicKey.kid ?? '';
    const secret = (): Uint8Array => new TextEncoder().encode(issuer.publicKey.n);
    const changed = (text: string): string => {
      const [header, , signature] = text.split('.');
      return `${header}.${base64(claimsOf({ repository: 'acme/other' }))}.${signature}`;
    };

    it('is huge is refused unread', async () => {
      expect(await exchange('x'.repeat(9000))).toMatchObject({ status: 400, body: { errors: [{ field: 'token' }] } });
      expect(await exchange('x'.repeat(20_000))).toMatchObject({ status: 413 });
    });

    it('expires within the tolerance for clocks is accepted', async () => {
      await trusting();
      expect((await exchange(await token({ exp: seconds(-29 * SECOND), iat: seconds(-5 * MINUTE) }))).status).toBe(200);
    });

    it('names an issuer that nobody accepts makes the service call no one', async () => {
      await exchange(await stranger.sign(claimsOf({ iss: stranger.url })));
      expect(stranger.asked).toEqual([]);
    });
  });

  describe('of an issuer', () => {
    beforeEach(async () => {
      await trusting();
      world.clock.forward(HOUR);
      issuer.asked.length = 0;
    });

    it('whose keys are known makes the service read them once an hour', async () => {
      for (const _ of [1, 2, 3]) expectStatus(await exchange(await token()), 200);
      expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
      world.clock.forward(HOUR);
      await Promise.all([exchange(await token()), exchange(await token()), exchange(await token())]);
      expect(issuer.asked).toHaveLength(4);
    });

    it('that has a new key makes the service read the keys, twice a minute at most', async () => {
      expectStatus(await exchange(await token()), 200);
      await issuer.rotate();
      expect(await exchange(await token())).toMatchObject(invalid('unknown_key'));
      world.clock.forward(30 * SECOND);
      expectStatus(await exchange(await token()), 200);
      expect(issuer.asked).toHaveLength(4);
      for (const _ of [1, 2, 3])
        expect(await exchange(await token({}, { kid: randomUUID() }))).toMatchObject(invalid('unknown_key'));
      expect(issuer.asked).toHaveLength(4);
    });

    it.each<[string, NonNullable<CiIssuer['answer']>]>([
      ['answers with an error', (_, response) => response.writeHead(500).end()],
      ['redirects', (_, response) => response.writeHead(302, { location: `${stranger.url}/` }).end()],
      ['drops the connection', (request) => request.socket.destroy()],
      ['answers with a page', (_, response) => response.end('<html>')],
      ['answers with a megabyte', (_, response) => response.end(JSON.stringify({ keys: ['x'.repeat(1_000_000)] }))],
      [
        'says that it is another',
        (_, response) => response.end(JSON.stringify({ issuer: stranger.url, jwks_uri: `${issuer.url}/keys` })),
      ],
      [
        'has its keys elsewhere',
        (_, response) => response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${stranger.url}/keys` })),
      ],
      [
        'has keys that are none',
        (_, response) => response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, keys: 7 })),
      ],
    ])('that %s is refused, and asked again half a minute later', async (_, answer) => {
      issuer.answer = answer;
      for (const __ of [1, 2]) {
        const refused = await exchange(await token());
        expect(refused).toMatchObject({ status: 503, body: { code: 'ci_issuer_unreachable' } });
        expect(refused.headers.get('retry-after')).toBe('30');
      }
      expect(stranger.asked).toEqual([]);
      issuer.answer = null;
      world.clock.forward(30 * SECOND);
      expectStatus(await exchange(await token()), 200);
    });

    it('that is unreachable is trusted as long as its keys are fresh', async () => {
      expectStatus(await exchange(await token()), 200);
      issuer.answer = (request) => request.socket.destroy();
      world.clock.forward(HOUR - SECOND);
      expect((await exchange(await token({}, { kid: randomUUID() }))).status).toBe(503);
      expectStatus(await exchange(await token()), 200);
      world.clock.forward(SECOND);
      expect((await exchange(await token())).status).toBe(503);
      issuer.answer = null;
      world.clock.forward(30 * SECOND);
    });

    it('that answers too slowly is refused', async () => {
      issuer.answer = () => undefined;
      expect((await exchange(await token())).status).toBe(503);
      issuer.answer = null;
      world.clock.forward(30 * SECOND);
    }, 15_000);

    it.each(['ES256', 'PS256', 'EdDSA'])('that signs with %s is understood', async (alg) => {
      await issuer.rotate(alg);
      expectStatus(await exchange(await token()), 200);
      await issuer.rotate();
    });
  });

  describe('is trusted by a rule that', () => {
    it('is listed and deleted only by its tenant', async () => {
      const [mine, other] = [await trusting(), await trusting({}, await world.given.tenant())];
      const session = world.api.as({ cookie: other.cookie });
      expect((await session.get('/ci/trust-rules')).body.items.map(({ id }: { id: string }) => id)).toEqual([
        other.ruleId,
      ]);
      expect(await session.delete(`/ci/trust-rules/${mine.ruleId}`)).toMatchObject({
        status: 404,
        body: { code: 'trust_rule_not_found' },
      });
    });

    it.each<[string, object, string]>([
      ['names neither a ref nor an environment', { ref: undefined }, 'ref'],
      ['names a short ref', { ref: 'main' }, 'ref'],
      ['names the ref of pull requests', { ref: 'refs/pull/*/merge' }, 'ref'],
      ['names no repository', { repository: 'acme' }, 'repository'],
      ['names all repositories of an owner', { repository: 'acme/*' }, 'repository'],
      ['names an issuer that is not accepted', { issuer: 'https://issuer.example' }, 'issuer'],
      ['gives everything', { scopes: ['*'] }, 'scopes'],
      ['gives what no token can have', { scopes: ['tokens:write'] }, 'scopes'],
      [
        'gives credentials to a restricted token',
        { scopes: ['credentials:write'], extensionIds: [randomUUID()] },
        'scopes',
      ],
      ["names another tenant's extension", { extensionIds: [randomUUID()] }, 'extensionIds'],
      ['names no extension', { extensionIds: [] }, 'extensionIds'],
    ])('%s is refused', async (_, rule, field) => {
      expect(await trust(owner, rule)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    });
  });
});
