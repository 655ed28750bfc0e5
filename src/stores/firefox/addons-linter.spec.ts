import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Config } from '../../common/config/index.js';
import { AddonsLinter } from './addons-linter.js';

const folder = mkdtempSync(join(tmpdir(), 'pierhead-linter-'));

/** The linter, in place of whose program another runs. */
function linterOf(name: string, program: string): AddonsLinter {
  const addonsLinter = join(folder, name);
  writeFileSync(addonsLinter, program);
  return new AddonsLinter({ addonsLinter } as Config);
}

describe('addons-linter in a process of its own', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('ends with the service', async () => {
    const linter = linterOf('endless.cjs', 'setInterval(() => undefined, 1000);');
    const [first, second] = [linter.errorsIn('a.zip'), linter.errorsIn('b.zip')];
    linter.onModuleDestroy();
    expect(await Promise.all([first, second])).toEqual([[], []]);
  });

  it('has a bounded memory, beyond which the package is judged without it', async () => {
    const linter = linterOf('greedy.cjs', 'const all = []; for (;;) all.push(new Array(1_000_000).fill(0.5));');
    expect(await linter.errorsIn('a.zip')).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['no report', 'console.log("out of order")'],
    ['another report', 'console.log("{}")'],
  ])('that prints %s has no errors', async (_case, program) => {
    expect(await linterOf('other.cjs', program).errorsIn('a.zip')).toEqual([]);
  });

  it('must be there', () => {
    expect(() => AddonsLinter.assertInstalled({ addonsLinter: join(folder, 'absent') })).toThrow(
      /ADDONS_LINTER must be the path of addons-linter: ENOENT/,
    );
    expect(() => AddonsLinter.assertInstalled({ addonsLinter: undefined })).not.toThrow();
  });
});
