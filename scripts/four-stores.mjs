// npm run docs:picture: runs the demo and draws docs/images/four-stores.svg, the picture in README, from what it prints.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ROOT } from './built.mjs';

flagsOf('npm run docs:picture', 'Runs the demo and draws docs/images/four-stores.svg from what it prints.');

await import('@swc-node/register/esm-register');
const { STORES } = await import('../clients/cli/src/api/catalog.ts');
const [LEFT, TOP, ROW, WIDTH] = [190, 74, 44, 820];

const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/demo.mjs'), '--exit'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
});
if (status !== 0) process.exit(1);

const rows = STORES.map(({ id: store, title }) => {
  const [, way = ''] = new RegExp(`^ +${store} +(\\d.*): Version`, 'm').exec(stdout) ?? [];
  const phases = way.split(' > ').map((each) => {
    const [after, , phase] = each.split(' ');
    return { after: Number(after), phase };
  });
  return { title, phases };
});
const end = Math.max(...rows.flatMap(({ phases }) => phases.map(({ after }) => after))) * 1.18;
const x = (seconds) => Math.round(LEFT + (seconds / end) * (WIDTH - LEFT - 24));
const kindOf = (phase) => ({ in_review: 'review', live: 'live' })[phase] ?? 'busy';

const bars = rows.map(({ title, phases }, index) => {
  const y = TOP + index * ROW;
  const bar = phases.map(({ after, phase }, at) => {
    const from = x(after);
    const width = (phases[at + 1] ? x(phases[at + 1].after) : WIDTH - 24) - from;
    const label = { in_review: 'in review', live: `live, ${after.toFixed(1)} s` }[phase];
    const text = label && width > 56 ? `<text class="on" x="${from + 8}" y="${y + 18}">${label}</text>` : '';
    return `<rect class="${kindOf(phase)}" x="${from}" y="${y}" width="${Math.max(width - 2, 2)}" height="26" rx="3"/>${text}`;
  });
  return `<text x="24" y="${y + 18}">${title}</text>${bar.join('')}`;
});

const legend = [
  ['busy', 'uploading, checking'],
  ['review', 'in review'],
  ['live', 'live'],
].map(([kind, label], index) => {
  const left = LEFT + index * 170;
  const y = TOP + rows.length * ROW + 6;
  return `<rect class="${kind}" x="${left}" y="${y}" width="12" height="12" rx="2"/><text class="small" x="${left + 18}" y="${y + 11}">${label}</text>`;
});

const height = TOP + rows.length * ROW + 36;
writeFileSync(
  join(ROOT, 'docs/images/four-stores.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="14">
<title>One push of version 1.0.0, live at four stores</title>
<style>
.card{fill:#fff;stroke:#d0d7de}text{fill:#1f2328}.small{font-size:12px;fill:#59636e}.on{fill:#fff;font-size:12px}
.busy{fill:#8c959f}.review{fill:#0969da}.live{fill:#1a7f37}
@media (prefers-color-scheme:dark){.card{fill:#151b23;stroke:#3d444d}text{fill:#f0f6fc}.small{fill:#9198a1}.on{fill:#fff}.busy{fill:#656c76}.review{fill:#1f6feb}.live{fill:#238636}}
</style>
<rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text x="24" y="34" font-weight="600">One push of Tab Counter 1.0.0</text>
<text class="small" x="24" y="54">Seconds after the push, in a run of npm run demo. A review takes 6 s in the sandbox, and hours to weeks at a store.</text>
${[...bars, ...legend].join('\n')}
</svg>
`,
);
