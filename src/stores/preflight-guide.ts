import { STORE_RULES } from './package-rules.js';
import { ORACLES, type Oracle, type PreflightRule } from './preflight/pure.js';
import { STORE_IDS } from './store.js';
import type { Stores } from './stores.js';

const NAMES: Readonly<Record<Oracle, string>> = { chromium: 'Chromium', 'addons-linter': 'addons-linter' };

const INTRODUCTION = `# Preflight

Stores refuse some packages every time, and a refused upload may use up a version number. Pierhead looks for this before it sends anything:
\`pierhead check\` on your machine, \`pierhead push\` before the upload, and the service at each push.

- **refused**: the store refuses such a package every time. A target keeps the version until you push a mended package under the same number,
  or override the finding with \`pierhead override\`, in the console, or with \`POST /artifacts/{id}/findings/{findingId}/override\`. If
  the store then takes it, the finding holds no version of that extension any more. \`preflight: off\` at a target turns this off.
- **warning**: the store may refuse it, or it costs users. The version is sent.
- **note**: good to know.

Pierhead also runs Mozilla's addons-linter where it is installed: on your machine with your project, at the service where the operator
sets [ADDONS_LINTER](configuration.md#publishing). Its errors are findings with its own codes, unless a rule has found the same.

_Confirmed by_ names the programs that refuse such a package too: Chromium's \`--pack-extension\`, and addons-linter, which Firefox Add-ons
runs. Where none is named, the source is the store's own rule. \`npm run docs:preflight\` writes this page from the rules.
`;

const row = ({ code, severity, about, source, confirmedBy }: PreflightRule): string => {
  const programs = ORACLES.filter((oracle) => confirmedBy.includes(oracle)).map((oracle) => NAMES[oracle]);
  return `| \`${code}\` | ${severity} | ${about} | ${programs.join(', ')} | [source](${source}) |`;
};

const section = (title: string, rules: readonly PreflightRule[]): string =>
  [
    `## ${title}`,
    '',
    '<!-- prettier-ignore -->',
    '| Rule | Severity | Found when | Confirmed by | Source |',
    '| --- | --- | --- | --- | --- |',
    ...rules.map(row),
    '',
  ].join('\n');

/** The page `docs/preflight.md`. */
export const preflightGuide = (stores: Stores): string =>
  [
    INTRODUCTION,
    ...STORE_IDS.filter((id) => STORE_RULES[id].length > 0).map((id) => section(stores.for(id).title, STORE_RULES[id])),
  ].join('\n');
