// npm run bench:upload: how fast a large package is pushed, beside bare node:http, and whether memory stays flat meanwhile.
// `-- --smoke` only shows that it works; `-- --rounds 20` measures longer.
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/built.mjs';
import { NOISY_CORES } from './noise.mjs';
import { measurePushes } from './pushes.mjs';
import { median, megabytes, onStage, say } from './stage.mjs';

const MIN_RATIO = 0.85;
const MAX_GROWTH_BYTES = 80e6;

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const ROUNDS = options.smoke ? 1 : Number(options.rounds);
const PACKAGE_BYTES = options.smoke ? 5e6 : 150e6;

async function run() {
  ensureBuilt();
  report(await measurePushes(ROUNDS, PACKAGE_BYTES));
}

// --- the report -------------------------------------------------------------------------------------------------------

const row = (name, cells, rest = '') =>
  say(`  ${name.padEnd(30)}${cells.map((cell) => cell.padStart(8)).join('')}  ${rest}`.trimEnd());
const spread = (figures, digits) =>
  [median(figures), Math.min(...figures), Math.max(...figures)].map((each) => each.toFixed(digits));
const verdict = (wanted, isMet) =>
  `target ${wanted}: ${options.smoke ? 'not judged in a smoke run' : isMet ? 'met' : 'MISSED'}`;

function report({ rounds, again, memory, others }) {
  const ratios = rounds.map(({ ratio }) => ratio);
  const memoryCells = ({ before, peak, growth }) => [before, peak, growth].map(megabytes);
  const size = megabytes(rounds[0].bytes);
  say(`\nPush of a zip of ${size} MB, hashed and on the disk before the answer; rounds: ${ROUNDS}, after a warm-up\n`);
  row('MB/s', ['median', 'min', 'max']);
  row(
    'reference (bare node:http)',
    spread(
      rounds.map(({ reference }) => reference),
      0,
    ),
  );
  row(
    'service',
    spread(
      rounds.map(({ service }) => service),
      0,
    ),
  );
  row('service, same content again', spread(again, 0));
  row(
    'service / reference, per round',
    spread(ratios, 2),
    verdict(`at least ${MIN_RATIO}`, median(ratios) >= MIN_RATIO),
  );
  say();
  row('Resident memory, MB', ['before', 'peak', 'growth']);
  row('reference', memoryCells(memory.reference));
  const isFlat = memory.service.growth <= MAX_GROWTH_BYTES;
  row('service', memoryCells(memory.service), verdict(`at most ${MAX_GROWTH_BYTES / 1e6}`, isFlat));
  row('service, warm-up included', memoryCells(memory.fromIdle));
  say();
  say(`  ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, ${process.platform}`);
  say(
    `  Others kept ${others.toFixed(2)} cores busy meanwhile${others > NOISY_CORES ? ': too noisy to judge, repeat' : ''}`,
  );
}

await onStage(run);
