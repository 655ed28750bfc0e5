// Writes down what npm run bench has measured.
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { ROOT } from '../scripts/built.mjs';
import { NOISY_CORES } from './noise.mjs';
import { DELIVERED, GROWTH, LOADED, PATIENCE, PUBLISHED, PUSHED, verdictOn } from './rows.mjs';
import { median } from './stage.mjs';

/** @typedef {import('./load/loader.mjs').Figures & { others: number }} Measured */
/**
 * @typedef {object} Results
 * @property {Record<string, Measured>[]} rounds
 * @property {{ ratio: number }[]} published
 * @property {Awaited<ReturnType<typeof import('./deliveries.mjs').measureDeliveries>>[]} delivered by round
 * @property {Awaited<ReturnType<typeof import('./pushes.mjs').measurePushes>> | null} pushes
 * @property {string} server
 * @property {string} how rounds, seconds and seats, in words
 * @property {boolean} isJudged
 */

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** @param {{ what: string }} row @param {readonly number[]} values by round @param {boolean} isJudged */
function ratioLine(row, values, isJudged) {
  const { wanted, verdict } = verdictOn(row, median(values));
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((one) => one.toFixed(2));
  return `| ${row.what} | ${middle} | ${least} to ${most} | ${wanted} | ${isJudged ? verdict : 'not judged'} |`;
}

/** @param {Results} results */
function ratios({ rounds, published, delivered, pushes, isJudged }) {
  const [first = {}] = rounds;
  const loaded = LOADED.filter(({ measured, beside }) => first[measured] && first[beside]).map((row) => ({
    row,
    values: rounds.map((round) => round[row.measured].perSecond / round[row.beside].perSecond),
  }));
  const deliveries = Object.entries(DELIVERED).map(([name, row]) => ({
    row,
    values: delivered.map((round) => round[name].service / round[name].reference),
  }));
  const patience = rounds.flatMap((round) => round[PATIENCE.measured] ?? []).map(({ p50, p99 }) => p99 / p50);
  const rest = [
    ...(patience.length === 0 ? [] : [{ row: PATIENCE, values: patience }]),
    ...(delivered.length === 0 ? [] : deliveries),
    ...(published.length === 0 ? [] : [{ row: PUBLISHED, values: published.map(({ ratio }) => ratio) }]),
    ...(pushes === null ? [] : [{ row: PUSHED, values: pushes.rounds.map(({ ratio }) => ratio) }]),
    ...(pushes === null ? [] : [{ row: GROWTH, values: [pushes.growth / 1e6] }]),
  ];
  return [...loaded, ...rest].map(({ row, values }) => ratioLine(row, values, isJudged));
}

/** @param {Results} results */
function absolutes({ rounds }) {
  return Object.keys(rounds[0] ?? {}).map((name) => {
    const of = (figure) => median(rounds.map((round) => round[name][figure]));
    const others = Math.max(...rounds.map((round) => round[name].others));
    return `| ${name} | ${of('perSecond').toFixed(0)} | ${of('p50').toFixed(2)} | ${of('p99').toFixed(2)} | ${others.toFixed(2)} |`;
  });
}

/** How far the figures can be trusted. @param {Results} results */
function disturbances({ rounds, pushes }) {
  const all = [...rounds.flatMap((round) => Object.values(round)), ...(pushes === null ? [] : [pushes])];
  const noisy = all.filter(({ others }) => others > NOISY_CORES);
  if (all.some(({ others }) => Number.isNaN(others))) return 'Nobody can tell here how busy others kept the machine.';
  return noisy.length === 0
    ? `No run was disturbed: others kept at most ${NOISY_CORES} cores busy.`
    : `${noisy.length} of ${all.length} runs were disturbed, others keeping more than ${NOISY_CORES} cores busy however often they were repeated: up to ${Math.max(...noisy.map(({ others }) => others)).toFixed(2)}.`;
}

/** @param {Results} results @returns {string} Markdown */
export function report(results) {
  const isClean = git('status', '--porcelain') === '';
  return [
    '# Results of `npm run bench`',
    '',
    `Commit ${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : ', changed'}; ${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.version}, ${results.server}.`,
    `${results.how} ${disturbances(results)}`,
    '',
    '| ratio | median of the rounds | rounds | target |  |',
    '| --- | ---: | --- | --- | --- |',
    ...ratios(results),
    '',
    '| what | per second | p50 ms | p99 ms | cores busy with others, at most |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...absolutes(results),
  ].join('\n');
}
