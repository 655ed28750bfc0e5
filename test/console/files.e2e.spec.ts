import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { run } from '../support/process.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('the files of the console', () => {
  let world: World;
  beforeAll(async () => {
    const built = `import('./scripts/built.mjs').then(({ ensureConsoleBuilt }) => ensureConsoleBuilt())`;
    expect(await run(['-e', built], {})).toMatchObject({ code: 0 });
    world = await startWorld();
  });
  afterAll(() => world.close());

  const get = (path: string, headers: Readonly<Record<string, string>> = BROWSER): Promise<Answer> =>
    world.api.call('GET', `/${path}`, undefined, { headers });
  const raw = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${world.url}${path}`, init);
  const assets = async (): Promise<readonly string[]> =>
    [...(await get('/')).text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

  it('are its page at every address that no program asks', async () => {
    const { text } = await get('/');
    expect(text).toContain('<div id="root">');
    for (const path of ['/extensions/x/versions/1.0.0', '/settings/members', '/nowhere', '/<b>nowhere'])
      expect(await get(path)).toMatchObject({ status: 200, text });
    expect((await get('/nowhere', { accept: '*/*' })).headers.get('content-type')).toMatch(
      /^application\/problem\+json/,
    );
    expect(await world.api.call('POST', '//nowhere', {}, { headers: BROWSER })).toMatchObject({ status: 404 });
  });

  it('are refused below the paths of the API, of files and of pages that the service makes', async () => {
    for (const path of [
      '/api',
      '/api/v1/nowhere',
      '/assets/nowhere.js',
      '/assets/..%2findex.html',
      '/metrics/x',
      '/buyer/x',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('may load nothing from elsewhere, and run nothing that is written inline', async () => {
    const { headers, text } = await get('/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(text).not.toMatch(/<style|<script(?![^>]*src=)|style=|\son\w+=/);
    expect(text).not.toMatch(/(?:src|href)="(?!\/)/);
  });

  it('are kept by browsers for a year if their name tells their content; the page is asked for again', async () => {
    expect((await get('/')).headers.get('cache-control')).toBe('no-cache');
    const found = await assets();
    expect(found.length).toBeGreaterThanOrEqual(3);
    for (const path of found)
      expect((await raw(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('are sent in the smallest encoding that the caller takes, and not again if they did not change', async () => {
    const script = (await assets()).find((path) => path.endsWith('.js')) ?? '';
    const plain = await raw(script, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const body = await plain.text();
    const asBrowsersSay = await raw(script, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
    expect(asBrowsersSay.headers.get('content-encoding')).toBe('br');
    for (const encoding of ['br', 'gzip']) {
      const sent = await raw(script, { headers: { 'accept-encoding': encoding } });
      expect(sent.headers.get('content-encoding')).toBe(encoding);
      expect(sent.headers.get('vary')).toContain('Accept-Encoding');
      expect((await sent.text()) === body).toBe(true);
      const etag = sent.headers.get('etag') ?? '';
      const known = { 'accept-encoding': encoding, 'if-none-match': etag, 'cache-control': 'max-age=0' };
      expect((await raw(script, { headers: known })).status).toBe(304);
    }
    const head = await raw(script, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
    expect(await head.text()).toBe('');
  });

  it('let a phone install the console with its icons', async () => {
    const manifest = (await assets()).find((path) => path.endsWith('.webmanifest')) ?? '';
    const answer = await raw(manifest);
    expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
    const { name, icons } = (await answer.json()) as { name: string; icons: { src: string; type: string }[] };
    expect(name).toBe('Pierhead');
    for (const { src, type } of icons) expect((await raw(src)).headers.get('content-type')).toMatch(type);
  });
});
