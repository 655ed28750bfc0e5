// node scripts/release-notes.mjs v1.2.3: prints what CHANGELOG.md says of a release. Refuses a tag that does not fit the versions in the
// repository, so that nothing is released under another name.
import { notesOf, otherVersions } from './versions.mjs';

const [tag = ''] = process.argv.slice(2);
const version = tag.replace(/^v/, '');
const faults = otherVersions(version).map((place) => `${place} is another version than ${tag}.`);
const notes = notesOf(`${version} `);
if (notes === undefined) faults.push(`CHANGELOG.md has no section "## ${version} – date".`);

if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
} else process.stdout.write(`${notes}\n`);
