// What `npm test -- --profile` prints: where the time of the processor goes, by kind and by file.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './built.mjs';

const LONGEST_FILES = 30;
const seconds = (ms) => (ms / 1000).toFixed(1).padStart(8);
const sum = (lines, of) => lines.reduce((total, line) => total + of(line), 0);

/** @param path of the lines that `test/support/profile.ts` has written @returns the text of both tables */
export function profileOf(path) {
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const names = [...new Set(lines.flatMap(({ kinds }) => Object.keys(kinds)))].toSorted();
  const kinds = names.map((name) => {
    const of = lines.flatMap(({ kinds: { [name]: kind = [] } }) => kind);
    return `${seconds(sum(of, ({ ms }) => ms))} ${String(sum(of, ({ count }) => count)).padStart(8)}  ${name}`;
  });
  const files = lines
    .toSorted((one, other) => other.cpuMs + other.childrenMs - one.cpuMs - one.childrenMs)
    .slice(0, LONGEST_FILES)
    .map(({ file, ms, cpuMs, childrenMs, waitedMs }) =>
      [cpuMs, childrenMs, ms, waitedMs]
        .map(seconds)
        .concat(`  ${relative(ROOT, file)}`)
        .join(''),
    );
  return [
    'Time in seconds, and count, by kind (times of kinds overlap):',
    ...kinds,
    `${seconds(sum(lines, ({ cpuMs }) => cpuMs))}           processor time of the workers`,
    `${seconds(sum(lines, ({ childrenMs }) => childrenMs))}           processor time of the processes that they started`,
    `${seconds(sum(lines, ({ waitedMs }) => waitedMs))}           waiting`,
    `Most memory of a worker: ${Math.max(...lines.map(({ megabytes }) => megabytes)).toFixed(0)} MB`,
    '',
    'Files: processor time, that of their processes, all time, waiting:',
    ...files,
    '',
  ].join('\n');
}
