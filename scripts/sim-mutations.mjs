// npm run sim:mutations: shows that the simulator sees what it claims to. Makes one mistake after the other in a copy of the service, and undoes
// what mended a fault of the past: each run must break the law that is named beside it, and each law have a mistake that breaks it. An argument
// chooses those whose name contains it; `--today 3` chooses three by the date, others each day.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { emptyDatabase, simulation } from './simulation.mjs';

const DAY_MS = 86_400_000;
/** With a mistake, some wait may never end. */
const RUN_LIMIT_MS = 300_000;
/** Of a run that did not come to its end. */
const NO_OUTCOME = { law: null, cpuSeconds: 0, judged: {} };
const {
  values: { today },
  positionals: [chosen = ''],
} = parseArgs({ options: { today: { type: 'string' } }, allowPositionals: true });
const read = async (path) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));
const all = [
  ...(await read('../test/simulator/mutations.json')),
  ...(await read('../test/seeds/seeds.json')).flatMap(({ mend, ...seed }) =>
    mend === undefined ? [] : [{ ...seed, ...mend }],
  ),
];

/** So many in turn: each day those that follow on the day before. */
function ofToday(count) {
  const first = Math.floor(Date.now() / DAY_MS) * count;
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[(first + at) % all.length]);
}

const mutations = today === undefined ? all.filter(({ what }) => what.includes(chosen)) : ofToday(Number(today));
const snapshot = await emptyDatabase();

/** Makes the mistake, and plays its seed. @returns whether its law was broken, and the names of all laws */
async function caught({ what, file, from, to, law, seed, years, parts }) {
  const edit = (source) => {
    if (source.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
    return source.replace(from, () => to);
  };
  const { play, remove } = await simulation(snapshot, { [file]: edit });
  const outcome = await play({ seed, years, parts }, RUN_LIMIT_MS).catch(({ message }) => ({
    ...NO_OUTCOME,
    failure: message,
  }));
  await remove();
  const isCaught = outcome.law === law;
  const time = `${outcome.cpuSeconds.toFixed(0)} s of processor time`;
  const found =
    outcome.failure === null ? 'no law was broken' : `${outcome.law ?? 'no law'}: ${outcome.failure.split('\n')[0]}`;
  const line = `${isCaught ? 'caught' : 'MISSED'} in ${time}: ${what}: ${found}\n`;
  (isCaught ? process.stdout : process.stderr).write(line);
  return { isCaught, laws: Object.keys(outcome.judged) };
}

const missed = [];
let laws = [];
for (const mutation of mutations) {
  const { isCaught, laws: known } = await caught(mutation);
  laws = known;
  if (!isCaught) missed.push(mutation);
}
await snapshot.remove();
const deaf = laws.filter((law) => all.every((mutation) => mutation.law !== law));
for (const { what, law, seed, years } of missed)
  process.stderr.write(`missed: ${what}, which breaks "${law}", by seed ${seed} and ${years} years\n`);
for (const law of deaf) process.stderr.write(`no mutation breaks the law: ${law}\n`);
process.stdout.write(`${mutations.length - missed.length} of ${mutations.length} mutations were caught\n`);
process.exitCode = missed.length + deaf.length === 0 ? 0 : 1;
