import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { Desk, inChromium } from './support/desk.js';
import { makeStates, STATE_NAMES, type State } from './support/states.js';

const REFERENCES = fileURLToPath(new URL('references', import.meta.url));
/** Where pictures go that differ, each beside one that marks how. */
const DIFFERING = join(tmpdir(), 'pierhead-pictures');
/** `npm run screenshots` keeps the pictures as the ones to compare with. */
const IS_KEEPING = process.env['CONSOLE_IMAGES'] !== undefined;
/** Dates are part of the pictures. */
const SHOWN_AT = Date.UTC(2030, 2, 6, 9);
/** Pixels of a picture; the smallest mark takes more. */
const MOST_DIFFERENT = 60;
const WIDTHS = [390, 768, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** @returns how many pixels differ from the picture that is kept */
async function difference(name: string, picture: Buffer): Promise<number> {
  const [kept, taken] = [PNG.sync.read(await readFile(join(REFERENCES, name))), PNG.sync.read(picture)];
  const { width, height } = taken;
  if (kept.width !== width || kept.height !== height) return Infinity;
  const marked = new PNG({ width, height });
  const differing = pixelmatch(kept.data, taken.data, marked.data, width, height);
  if (differing > MOST_DIFFERENT) {
    await save(join(DIFFERING, name), picture);
    await save(join(DIFFERING, `differs-${name}`), PNG.sync.write(marked));
  }
  return differing;
}

async function save(path: string, picture: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, picture);
}

inChromium('a state of the console', () => {
  let desk: Desk;
  let states: ReadonlyMap<string, State>;
  beforeAll(async () => {
    desk = await Desk.open({ DEFAULT_TENANT_QUOTA: 'unlimited' });
    states = new Map((await makeStates(desk.world, SHOWN_AT)).map((state) => [state.name, state]));
  });
  afterAll(() => desk.close());

  it.each(STATE_NAMES)('looks as it did, and has nothing that hinders anybody: %s', async (name) => {
    const { as, path } = states.get(name) ?? {};
    const page = await desk.visit({ as, path });
    await desk.settled(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
        const picture = await page.screenshot({
          animations: 'disabled',
          fullPage: false,
          // The sandbox draws the one at random, and each release has another of the other.
          mask: [page.getByLabel('Item id'), page.getByText(/^Pierhead \d/)],
        });
        const file = `${name}-${width}-${colorScheme}.png`;
        if (IS_KEEPING) await save(join(REFERENCES, file), picture);
        const where = `${file}; if it is meant, npm run screenshots keeps it; else see ${DIFFERING}`;
        expect([where, (await difference(file, picture)) > MOST_DIFFERENT]).toEqual([where, false]);
      }
    }
    await desk.look(page, `state-${name}`);
  });
});
