// node scripts/release-notes.mjs v1.2.3: prints what CHANGELOG.md says of a release. Refuses a tag that does not fit the versions in the
// repository, so that nothing is released under another name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './built.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const [tag = ''] = process.argv.slice(2);
const version = tag.replace(/^v/, '');

const faults = ['.', 'clients/cli', 'clients/licensing']
  .map((folder) => join(folder, 'package.json'))
  .filter((path) => JSON.parse(read(path)).version !== version)
  .map((path) => `${path} has another version than ${tag}.`);
const [, section] = read('CHANGELOG.md').split(`\n## ${version} `);
const kustomization = 'deploy/kubernetes/kustomization.yaml';
if (!read(kustomization).includes(`newTag: ${version}\n`))
  faults.push(`${kustomization} deploys another version than ${tag}.`);
if (section === undefined) faults.push(`CHANGELOG.md has no section "## ${version} – date".`);

if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
} else process.stdout.write(`${section.split('\n').slice(1).join('\n').split('\n## ')[0].trim()}\n`);
