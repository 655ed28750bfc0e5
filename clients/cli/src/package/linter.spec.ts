import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ignoredInPackage } from './ignored.js';
import { lint } from './linter.js';
import { zipFolder } from './zip-folder.js';

/** Has web-ext, and with it the linter. */
const OUR_PROJECT = join(process.cwd(), 'test');

describe("Mozilla's linter", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  it('reports where a package has what AMO refuses', async () => {
    const folder = join(root, 'tab-counter');
    await cp('examples/tab-counter', folder, { recursive: true });
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      background: { readonly service_worker: string };
    };
    manifest.background = { service_worker: manifest.background.service_worker };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const zip = await zipFolder(folder, ignoredInPackage());
    const report = await lint(zip.path, OUR_PROJECT);
    expect(report).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      errors: [
        {
          code: 'BACKGROUND_SERVICE_WORKER_NOFALLBACK',
          message: expect.stringContaining('Firefox-compatible fallback'),
          file: 'manifest.json',
          line: null,
        },
      ],
      warnings: [],
    });
    await zip.discard();
  });

  it('is not asked where it is not installed', async () => {
    expect(await lint('examples/tab-counter', root)).toBeNull();
  });

  it('that prints something else is a failure', async () => {
    const project = join(root, 'project');
    const folder = join(project, 'node_modules/addons-linter');
    await mkdir(folder, { recursive: true });
    const bin = { 'addons-linter': 'broken.cjs' };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'addons-linter', version: '1.2.3', bin }));
    await writeFile(join(folder, 'broken.cjs'), 'console.error("out of order"); process.exit(1);');
    await expect(lint('examples/tab-counter', project)).rejects.toThrow(
      'addons-linter 1.2.3 printed no report: out of order',
    );
  });
});
