import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './sandbox.js';
import { TestControl } from '../test/support/keys.js';
import { type FaultOptions, SandboxControl } from './sandbox-control.js';

let sandbox: Sandbox;
let sim: SandboxControl;
beforeAll(async () => {
  sandbox = await createSandbox();
  sim = new TestControl(sandbox.url);
});
afterAll(() => sandbox.close());

/** An item of its own with a draft, ready to be published. */
async function item() {
  const { publisherId, oauth } = await sim.chromeAccount();
  const { itemId } = await sim.chromeItem({ publisherId, draft: '1.0' });
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: oauth.clientId,
    client_secret: oauth.clientSecret,
    refresh_token: oauth.refreshToken,
  });
  const askToken = (): Promise<Response> => fetch(`${sandbox.url}/token`, { method: 'POST', body });
  const { access_token } = (await (await askToken()).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const call = (verb: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${sandbox.url}/v2/publishers/${publisherId}/items/${itemId}:${verb}`, { headers, ...init });
  const publish = (): Promise<Response> => call('publish', { method: 'POST', body: '{}' });
  return { publisherId, itemId, askToken, call, publish };
}
const fault = (itemId: string, operation: string, options: Omit<FaultOptions, 'itemId' | 'match'>) =>
  sim.fault({ itemId, match: { operation }, ...options });
const submitted = async (itemId: string): Promise<number> => (await sim.state(itemId)).counters.submissions;

describe('faults', () => {
  it('answer instead of the store, with its own body or another', async () => {
    const { itemId, publish } = await item();
    await fault(itemId, 'publish', { kind: 'status', status: 429, headers: { 'Retry-After': '7' } });
    const busy = await publish();
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await busy.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } });
    await fault(itemId, 'publish', { kind: 'body', body: '<html>maintenance</html>' });
    expect(await (await publish()).text()).toBe('<html>maintenance</html>');
    await fault(itemId, 'publish', { kind: 'body', body: { error: { code: 400 } } });
    expect(await (await publish()).json()).toEqual({ error: { code: 400 } });
    expect(await submitted(itemId)).toBe(0);
    expect((await publish()).status).toBe(200);
  });

  it('close the connection before the store acts', async () => {
    const { itemId, publish } = await item();
    await fault(itemId, 'publish', { kind: 'drop-before' });
    await expect(publish()).rejects.toThrow();
    expect(await submitted(itemId)).toBe(0);
  });

  it('close the connection, or send another answer, after the store has acted', async () => {
    const [dropped, mistaken] = [await item(), await item()];
    await fault(dropped.itemId, 'publish', { kind: 'drop-after' });
    await expect(dropped.publish()).rejects.toThrow();
    await fault(mistaken.itemId, 'publish', { kind: 'status-after', status: 500 });
    expect((await mistaken.publish()).status).toBe(500);
    expect([await submitted(dropped.itemId), await submitted(mistaken.itemId)]).toEqual([1, 1]);
  });

  it('delay the answer before or after the store acts', async () => {
    const [before, after] = [await item(), await item()];
    await fault(before.itemId, 'publish', { kind: 'delay', ms: 50 });
    const started = Date.now();
    expect((await before.publish()).status).toBe(200);
    expect(Date.now() - started).toBeGreaterThanOrEqual(45);
    await fault(after.itemId, 'publish', { kind: 'delay-after', ms: 60_000 });
    const impatient = { method: 'POST', body: '{}', signal: AbortSignal.timeout(200) };
    await expect(after.call('publish', impatient)).rejects.toThrow();
    expect(await submitted(after.itemId)).toBe(1);
  });

  it('send a huge body', async () => {
    const { itemId, call } = await item();
    await fault(itemId, 'fetchStatus', { kind: 'huge-body', megabytes: 3 });
    const flood = await (await call('fetchStatus')).text();
    expect(flood.length).toBeGreaterThan(3 * 1024 * 1024);
    expect(() => JSON.parse(flood) as unknown).not.toThrow();
  });

  it('match only the token calls of the account that owns the item', async () => {
    const [hit, spared] = [await item(), await item()];
    await fault(hit.itemId, 'token', { kind: 'status', status: 503 });
    expect((await spared.askToken()).status).toBe(200);
    expect((await hit.askToken()).status).toBe(503);
    expect((await hit.askToken()).status).toBe(200);
  });

  it('for an operation that does not exist are refused', async () => {
    await expect(sim.fault({ match: { operation: 'publsh' }, kind: 'drop-after' })).rejects.toThrow(/publsh/);
  });
});

describe('the request log', () => {
  it('contains requests and their results, but no secrets', async () => {
    const { publisherId, itemId, publish, call } = await item();
    await fault(itemId, 'publish', { kind: 'drop-after' });
    await publish().catch(() => undefined);
    await call('fetchStatus');
    const seen = await sim.requests({ itemId });
    expect(seen.map(({ operation, status, fault: kind }) => [operation, status, kind])).toEqual([
      ['publish', null, 'drop-after'],
      ['fetchStatus', 200, null],
    ]);
    expect(seen[0]).toMatchObject({ method: 'POST', publisherId, body: {}, headers: { authorization: '[redacted]' } });
    const tokens = await sim.requests({ publisherId, operation: 'token' });
    expect(tokens.map(({ body }) => body)).toEqual([{ grant_type: 'refresh_token' }]);
    expect(JSON.stringify(await sim.requests())).not.toMatch(/ya29|GOCSPX|1\/\/0/);
  });
});

describe('the control plane', () => {
  it('seeds accounts, advances the clock and resets everything', async () => {
    const own = await createSandbox();
    try {
      const control = new SandboxControl(own.url);
      const seed = { chrome: { accounts: [{ publisherId: 'p', items: [{ itemId: 'a'.repeat(32), draft: '1.0' }] }] } };
      const made = await fetch(`${own.url}/__sim/seed`, { method: 'POST', body: JSON.stringify(seed) });
      expect([made.status, await made.json()]).toMatchObject([201, { chrome: { accounts: [{ publisherId: 'p' }] } }]);
      await control.patch('a'.repeat(32), { submitted: { version: '1.0' }, approveAfterSeconds: 3600 });
      await control.advance(3600);
      expect((await control.state('a'.repeat(32))).published?.package.version).toBe('1.0');
      await control.reset();
      await expect(control.state('a'.repeat(32))).rejects.toThrow(/404/);
    } finally {
      await own.close();
    }
  });

  it('refuses unknown routes and fields', async () => {
    const { publisherId, itemId } = await item();
    await expect(sim.chromeItem({ publisherId, weeklyUser: 1 })).rejects.toThrow(/has no .+weeklyUser/);
    await expect(sim.act(itemId, 'approve')).rejects.toThrow(/409/);
    await expect(sim.chromeItem({ publisherId: 'nobody' })).rejects.toThrow(/404/);
  });
});
