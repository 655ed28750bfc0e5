import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../sandbox.js';
import { SandboxControl } from '../sandbox-control.js';
import { SafariControl } from './safari-control.js';

describe('the public lookup', () => {
  let sandbox: Sandbox;
  let control: SafariControl;
  let sim: SandboxControl;
  let teamId: string;
  const LIVE = { version: '1.4', state: 'READY_FOR_DISTRIBUTION' };
  beforeAll(async () => {
    sandbox = await createSandbox();
    control = new SafariControl(sandbox.url);
    sim = new SandboxControl(sandbox.url);
  });
  beforeEach(async () => {
    await sim.reset();
    ({ teamId } = await control.key());
  });
  afterAll(() => sandbox.close());

  const ask = async (query: string) => {
    const answer = await fetch(`${sandbox.env['APP_STORE_LOOKUP_URL']}?${query}`);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const found = async (query: string) =>
    JSON.parse((await ask(query)).text) as { resultCount: number; results: object[] };
  const made = (options: object = {}) => control.app({ issuerId: teamId, versions: [LIVE], ...options });

  it('tells the ratings of an app by storefront, as JSON that is called JavaScript', async () => {
    const { appId, bundleId } = await made({ storefronts: { us: [0, 0, 0, 1, 1], de: [1, 0, 0, 0, 0] } });
    const of = { trackId: Number(appId), bundleId, version: '1.4' };
    const american = { ...of, averageUserRating: 4.5, userRatingCount: 2 };
    expect(await ask(`id=${appId}&country=us`)).toMatchObject({ status: 200, type: 'text/javascript; charset=utf-8' });
    for (const query of [`id=${appId}`, `id=${appId}&country=US`])
      expect(await found(query)).toEqual({ resultCount: 1, results: [expect.objectContaining(american)] });
    const german = { ...of, averageUserRating: 1, userRatingCount: 1 };
    expect((await found(`id=${appId}&country=de`)).results).toEqual([expect.objectContaining(german)]);
  });

  it('says 0 of an app without ratings', async () => {
    const { appId } = await made();
    const none = { averageUserRating: 0, userRatingCount: 0 };
    expect((await found(`id=${appId}`)).results).toEqual([expect.objectContaining(none)]);
  });

  it('knows neither what a storefront does not have, nor what is not live, nor other ids', async () => {
    const elsewhere = await made({ storefronts: { de: [0, 0, 0, 0, 1] } });
    const draft = await made({ versions: [{ version: '1.0' }] });
    for (const id of [elsewhere.appId, draft.appId, '1', ''])
      expect(await found(`id=${id}&country=us`)).toEqual({ resultCount: 0, results: [] });
  });

  it.each(['uk', 'usa', '7', 'kp'])('refuses the country %s', async (country) => {
    const { status, text } = await ask(`id=1&country=${country}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ errorMessage: 'Invalid value(s) for key(s): [country]' });
  });

  it('answers 20 calls a minute', async () => {
    const statuses: number[] = [];
    for (let calls = 0; calls < 21; calls += 1) statuses.push((await ask('id=1')).status);
    expect(statuses.filter((status) => status !== 200)).toEqual([403]);
    await sim.advance(60);
    expect((await ask('id=1')).status).toBe(200);
  });

  it('takes no storefront that is no country, and five counts of stars for each', async () => {
    for (const storefronts of [{ USA: [0, 0, 0, 0, 0] }, { us: [1] }, { us: 4.5 }, []])
      await expect(made({ storefronts })).rejects.toThrow();
  });
});
