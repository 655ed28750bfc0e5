import { describe, expect, it } from 'vitest';
import { run } from '../support/process.js';

const EX_USAGE = 64;

describe.each([
  ['npm start', 'start.mjs', ['--accept-lost-keys']],
  ['npm run demo', 'demo.mjs', ['--exit']],
  ['npm run sandbox', 'sandbox.mjs', []],
  ['npm run docs:settings', 'settings-documents.mjs', []],
  ['npm run docs:preflight', 'preflight-document.mjs', []],
  ['npm run docs:picture', 'four-stores.mjs', []],
])('%s', (command, script, flags) => {
  const known = [...flags, '--help'];

  it.each([['--exot'], ['--port', '1'], ['1.0.0']])(
    'does nothing but list what it knows when it is given %s',
    async (...args) => {
      const { code, stdout, stderr } = await run([`scripts/${script}`, ...args], {});
      expect({ code, stdout }).toEqual({ code: EX_USAGE, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(`^(Unknown option|Unexpected argument) '${args[0]}'\\.\n\nUsage: ${command} -- `),
      );
      for (const flag of known) expect(stderr).toContain(`\n  ${flag} `);
    },
  );

  it('prints its usage with --help', async () => {
    const { code, stdout, stderr } = await run([`scripts/${script}`, '--help'], {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: ${command} -- \\[flags\\]\n[A-Z]`));
    for (const flag of known) expect(stdout).toContain(`\n  ${flag} `);
  });
});

describe('npm run migrate', () => {
  it.each(['--exot', '1.0.0'])('does nothing when it is given %s', async (arg) => {
    const { code, stdout, stderr } = await run(['scripts/migrate.mjs', arg], {
      DATABASE_URL: 'postgres://127.0.0.1:9/',
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: (?:unknown option '--exot'|too many arguments)/);
  });

  it('prints its usage with --help', async () => {
    const { code, stdout, stderr } = await run(['scripts/migrate.mjs', '--help'], {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run --silent migrate -- \[options\]\n\nBrings the schema /);
  });
});
