import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHROMIUM } from './chromium.js';

interface Linter {
  run(): Promise<{ readonly errors: readonly { readonly code: string }[] }>;
}
interface LinterModule {
  createInstance(options: object): Linter;
}

const require = createRequire(import.meta.url);
/** As `node` would load it, since Jest never frees what it has loaded itself. */
const linter = createRequire(require.resolve('web-ext'))('addons-linter') as LinterModule;

/** The errors of addons-linter, which AMO runs, about the extension in a folder. It ends with an exception for some odd manifests. */
export async function lint(extension: string, isUnlisted = false): Promise<readonly string[]> {
  const config = { _: [extension], output: 'none', logLevel: 'fatal', selfHosted: isUnlisted, disableLinterRules: '' };
  try {
    const { errors } = await linter.createInstance({ config, runAsBinary: false }).run();
    return errors.map(({ code }) => code);
  } catch (error) {
    return [String(error)];
  }
}

/**
 * Whether Chromium packs the extension in a folder, as a .crx beside it.
 * @param folder for its profile
 * @param key file of the private key that signs; a new one when absent
 */
export async function packs(extension: string, folder: string, key?: string): Promise<boolean> {
  const profile = `--user-data-dir=${join(folder, 'profile')}`;
  const own = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-message-box'];
  const signed = key === undefined ? [] : [`--pack-extension-key=${key}`];
  const args = [...own, profile, `--pack-extension=${extension}`, ...signed];
  await promisify(execFile)(CHROMIUM, args, { timeout: 30_000 }).catch(() => undefined);
  return existsSync(`${extension}.crx`);
}
