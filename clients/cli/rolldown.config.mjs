import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { commitOf } from '../../scripts/built.mjs';

/** The folder of the package that a bundled file belongs to; undefined for our own files. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0];

const licenseOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  return `${name} ${version} (${license})${text}`;
};

/** Writes the licenses of what is in the bundle beside it, as they ask for. */
const licenses = {
  name: 'licenses',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    const folders = [...new Set(files.map(packageOf).filter((folder) => folder !== undefined))].toSorted();
    this.emitFile({
      type: 'asset',
      fileName: 'LICENSES.txt',
      source: `${folders.map(licenseOf).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
    });
  },
};

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  // jsonc-parser's main is in a format whose requires no bundler sees.
  resolve: { mainFields: ['module', 'main'] },
  transform: { define: { COMMIT: JSON.stringify(commitOf()?.slice(0, 12) ?? null) } },
  // What is missing would be imported when the program runs, where nothing is installed.
  onLog: (level, log, handle) => handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
  // A command starts without what only others need.
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', format: 'esm', minify: true },
  plugins: [licenses],
});
