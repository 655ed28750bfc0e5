import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { PROCESSOR_IDS, STORE_IDS } from '../support/app.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What is made of others' facts; the sandbox and the tests state their own on purpose. */
const FOLDERS = ['src', 'clients/cli/src', 'clients/action/src', 'console/src', 'scripts'];

const SOURCES = FOLDERS.flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.includes('.spec.')),
);

/** Each file is one that a new store or processor must be added to by hand, or is generated. */
it.each([
  [
    'stores',
    STORE_IDS,
    [
      'src/stores/adapters.ts',
      // The command line judges packages by the same rules, and loads no adapter.
      'src/stores/package-rules.ts',
      'src/stores/store.ts',
      // Generated.
      'clients/cli/src/api/catalog.ts',
      'clients/cli/src/api/schema.ts',
      // A compiler fails here where a store is missing.
      'clients/cli/src/connecting/same-credential.ts',
      'scripts/sandbox-memory.mjs',
      'scripts/stand-ins.mjs',
    ],
  ],
  [
    'processors',
    PROCESSOR_IDS,
    [
      'src/common/config/settings.ts',
      'src/payments/adapters.ts',
      'clients/cli/src/api/processors.ts',
      'clients/cli/src/api/schema.ts',
    ],
  ],
] as const)('no other file lists the %s', (_, ids, lists) => {
  const words = ids.map((id) => new RegExp(String.raw`\b${id}\b`));
  const found = SOURCES.filter((file) => {
    const text = readFileSync(`${ROOT}/${file}`, 'utf8');
    return words.every((word) => word.test(text));
  });
  expect(found.toSorted()).toEqual([...lists].toSorted());
});
