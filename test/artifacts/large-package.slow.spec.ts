import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { Machine } from '../process/machine.js';
import { startWorld, type World } from '../support/app.js';
import { Blocks, MAX_BLOCK_MS } from '../support/blocks.js';
import { expectStatus, Given } from '../support/given.js';
import { manifestOf } from '../support/packages.js';
import { pngOf } from '../support/pictures.js';
import { Pusher } from './pusher.js';

const FILES = 20_000;
const FILE_BYTES = 10_700;
const LOCALES = 50;
const PAGES = 1000;

/** A manifest that each rule has work with. */
const MANIFEST = manifestOf('1.0.0', {
  default_locale: 'en',
  description: '__MSG_about__',
  icons: { 16: 'icon.png', 128: 'icon.png' },
  web_accessible_resources: [
    {
      resources: Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? `data/${at}*.bin` : `data/${at}.bin`)),
      matches: ['https://a.example/*'],
    },
  ],
  content_scripts: Array.from({ length: 100 }, (_, at) => ({
    matches: ['https://a.example/*'],
    js: [`data/${at}.bin`],
  })),
});

/** Text that packing makes smaller by a quarter. @param compress whether it is packed */
async function packageOf(compress: boolean): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const add = (name: string, content: string | Buffer): void => {
    zip.addBuffer(Buffer.from(content), name, { compress, mtime: new Date(2020, 0) });
  };
  add('manifest.json', JSON.stringify(MANIFEST));
  add('background.js', 'void 0;');
  add('icon.png', pngOf(128));
  for (let at = 0; at < LOCALES; at++)
    add(`_locales/${at === 0 ? 'en' : `x${at}`}/messages.json`, '{"about":{"message":"Counts owls."}}');
  for (let at = 0; at < PAGES; at++) add(`pages/${at}.html`, '<p>owl</p><script src="a.js"></script>'.repeat(50));
  for (let at = LOCALES + PAGES + 3; at < FILES; at++) add(`data/${at}.bin`, CONTENT);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const CONTENT = randomBytes((FILE_BYTES / 4) * 3).toString('base64');

const MEGABYTE = 1_000_000;
const PUSHES = 5;

const residentBytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe('a package of more than 200 MB in 20,000 files', () => {
  let world: World;
  let zips: { readonly stored: Buffer; readonly packed: Buffer };
  beforeAll(async () => {
    world = await startWorld({ env: { ARTIFACT_MAX_BYTES: '300000000' } });
    zips = { stored: await packageOf(false), packed: await packageOf(true) };
  }, 300_000);
  afterAll(() => world.close());

  it('is read and judged while others wait for at most 50 ms, in memory that stays flat', async () => {
    const blocks = await Blocks.watched();
    const machine = await Machine.start({
      byHand: true,
      settings: { ...blocks.settings, ARTIFACT_MAX_BYTES: '300000000' },
    });
    const { api, control } = machine.world;
    const given = new Given(api, control);
    const tenant = await given.tenant();
    const extension = await given.extension(tenant);
    const body = new Uint8Array(zips.packed);
    const push = async () => api.as(tenant).push({ extension, version: '1.0.0' }, body);
    expectStatus(await push(), 201);
    const before = await residentBytes(machine.service.pid);
    const { ms } = await blocks.longestOf(machine.service, push);
    expect(ms).toBeLessThan(MAX_BLOCK_MS);
    for (let time = 0; time < PUSHES; time += 1) expectStatus(await push(), 200);
    expect(((await residentBytes(machine.service.pid)) - before) / MEGABYTE).toBeLessThan(100);
    await machine.close();
    await blocks.close();
  }, 120_000);

  it('is taken, and no longer too large once it is packed smaller', async () => {
    const pusher = await Pusher.onChrome(world);
    await world.given.targetOf(pusher.mine, pusher.extension, 'firefox');
    const codesOf = async (id: string): Promise<readonly string[]> => {
      const { body } = expectStatus(await world.api.as(pusher.mine).get(`/artifacts/${id}/findings`), 200);
      return body.items.map(({ code }: { readonly code: string }) => code);
    };
    const { id } = expectStatus(await pusher.push('1.0.0', zips.stored), 201).body.artifact;
    expect(await codesOf(id)).toContain('too_large');
    const { body } = expectStatus(await pusher.push('1.0.0', zips.packed), 200);
    expect(body).toMatchObject({ deduplicated: true, artifact: { id, size: zips.packed.length } });
    expect(await codesOf(id)).not.toContain('too_large');
  }, 120_000);
});
