import { deflateSync, crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { manifestOf, zipOf } from '../support/packages.js';

const chunk = (kind: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

/** A grey square. */
function png(side: number, grey: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(side * (side + 1), grey);
  for (let row = 0; row < side; row += 1) rows[row * (side + 1)] = 0;
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    start,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the icon of an extension', () => {
  let world: World;
  let author: Publishable;
  beforeAll(async () => {
    world = await startWorld();
    author = await world.given.publishable();
    expectStatus(await world.api.as(author).patch(`/extensions/${author.extensionId}`, { name: 'Tab Counter' }), 200);
  });
  afterAll(() => world.close());

  const path = (): string => `/api/v1/extensions/${author.extensionId}/icon`;
  const ask = (as: { readonly token?: string; readonly cookie?: string } = { token: author.token }, more = {}) => {
    const own = as.token === undefined ? as : { authorization: `Bearer ${as.token}` };
    return fetch(`${world.url}${path()}`, { headers: { ...own, ...more } });
  };
  const push = async (version: string, icons: object, files: Readonly<Record<string, Buffer | string>>) => {
    const manifest = { 'manifest.json': JSON.stringify(manifestOf(version, { icons })) };
    const zip = await zipOf({ ...manifest, 'background.js': `// ${version}`, ...files });
    const asked = { extension: author.extensionId, version };
    expectStatus(await world.api.as(author).push(asked, new Uint8Array(zip)), 201);
  };

  it('is its initials until a package has one', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(await response.text()).toContain('>TC</text>');
    await push('1.0.0', { 128: 'absent.png' }, {});
    expect((await ask()).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('is the smallest sharp one of the newest package that has one, for a cookie as for a token', async () => {
    const files = { '16.png': png(16, 10), '96.png': png(96, 20), '128.png': png(128, 30) };
    await push('1.1.0', { 16: '16.png', 96: '96.png', 128: '128.png' }, files);
    await push('1.2.0', {}, {});
    for (const as of [{ token: author.token }, { cookie: author.cookie }]) {
      const response = await ask(as);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(Buffer.from(await response.arrayBuffer()).equals(files['96.png'])).toBe(true);
    }
    await push('1.3.0', { 96: '96.png' }, { '96.png': png(96, 40) });
    expect(Buffer.from(await (await ask()).arrayBuffer()).equals(png(96, 40))).toBe(true);
  });

  it('is not sent again to a browser that has it', async () => {
    const first = await ask();
    expect(first.headers.get('cache-control')).toBe('private, max-age=300, stale-while-revalidate=86400');
    const again = await ask(
      { token: author.token },
      {
        'if-none-match': first.headers.get('etag') ?? '',
        'cache-control': 'max-age=0',
      },
    );
    expect(again.status).toBe(304);
  });

  it('runs and loads nothing, is no other file, and no larger than 64 kB or 1,024 pixels', async () => {
    await push('1.4.0', { 96: 'page.html' }, { 'page.html': '<script>alert(1)</script>' });
    expect((await ask()).headers.get('content-type')).toBe('image/png');
    await push(
      '1.5.0',
      { 96: 'huge.png', 128: 'wide.png' },
      { 'huge.png': 'x'.repeat(70_000), 'wide.png': png(2000, 1) },
    );
    expect(Buffer.from(await (await ask()).arrayBuffer()).equals(png(96, 40))).toBe(true);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await push('1.6.0', { 96: 'icon.svg' }, { 'icon.svg': svg });
    const response = await ask();
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe(svg);
  });

  it('is shown to its own tenant only', async () => {
    const stranger = await world.given.tenant();
    for (const as of [{ token: stranger.token }, { cookie: stranger.cookie }]) expect((await ask(as)).status).toBe(404);
    expect((await ask({})).status).toBe(401);
  });
});
