// npm run sim:mutations: shows that the simulator sees what it claims to. Makes one mistake after the other in a copy of the service, and undoes
// what mended a fault of the past: each run must break the law that is named beside it. An argument chooses those whose name contains it.
import { readFile } from 'node:fs/promises';
import { simulation } from './simulation.mjs';

const [, , chosen = ''] = process.argv;
const read = async (path) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));
const mutations = [
  ...(await read('../test/simulator/mutations.json')),
  ...(await read('../test/seeds/seeds.json')).flatMap(({ mend, ...seed }) =>
    mend === undefined ? [] : [{ ...seed, ...mend }],
  ),
];

let missed = 0;
for (const { what, file, from, to, law, seed, years } of mutations.filter((one) => one.what.includes(chosen))) {
  const edit = (source) => {
    if (source.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
    return source.replace(from, () => to);
  };
  const { play, remove } = await simulation({ [file]: edit });
  const { failure, cpuSeconds } = await play({ seed, years });
  await remove();
  const isCaught = failure?.includes(law) === true;
  if (!isCaught) missed += 1;
  const found = failure === null ? 'no law was broken' : failure.split('\n')[0];
  process.stdout.write(
    `${isCaught ? 'caught' : 'MISSED'} in ${cpuSeconds.toFixed(0)} s of processor time: ${what}: ${found}\n`,
  );
}
process.exitCode = missed === 0 ? 0 : 1;
