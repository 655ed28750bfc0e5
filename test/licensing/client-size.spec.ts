import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { minify } from 'terser';

const SOURCE = readFileSync(new URL('../../clients/licensing/index.js', import.meta.url), 'utf8');

/** Size of the client, minified and gzipped, as a bundler leaves it that drops what is not exported and not used. */
async function bytesOf(source: string): Promise<number> {
  const { code = '' } = await minify(source, { module: true, toplevel: true });
  return gzipSync(code).length;
}

it('the client takes less than 4 kB where codes are activated and checked, and less than 6 kB whole, without dependencies', async () => {
  const core = await bytesOf(SOURCE.replaceAll(/^export (?!function createLicensing\b)/gm, ''));
  const whole = await bytesOf(SOURCE);
  expect(core).toBeLessThan(4000);
  expect(whole).toBeLessThan(6000);
  // What an extension does not use is not part of the core.
  expect(core).toBeLessThan(whole);
  expect(SOURCE).not.toMatch(/^\s*import\b|\bimport\(|\brequire\(/m);
});
