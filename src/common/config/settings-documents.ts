import { SECTIONS, type Setting } from './settings.js';

const WIDTH = 120;

const ENV_HEAD = [
  'Every variable that Pierhead reads. `npm run docs:settings` writes this file from src/common/config/settings.ts.',
  'Each line shows the default. An empty variable counts as absent.',
];

const GUIDE_HEAD = `# Configuration

These are all settings of Pierhead. \`npm run docs:settings\` writes this page from
[settings.ts](../src/common/config/settings.ts).

Pierhead reads environment variables and no file. An empty variable counts as absent. A start with invalid values lists all of them and
ends with exit code 78. [.env.example](../.env.example) has the same list as a file; copy what you need to \`.env\` and load it:

\`\`\`sh title="On your server"
set -a; . ./.env; set +a; npm start
\`\`\`

Variables marked as secret never appear in a log. A limit per IP address counts an IPv6 address as its /64 network.
`;

/** The text of `.env.example`: each setting with its meaning, commented out. */
export function envExample(): string {
  const sections = SECTIONS.map(({ title, settings }) => [`### ${title}\n`, ...settings.map(asComment)].join('\n'));
  return `${[ENV_HEAD.flatMap(wrap).join('\n'), ...sections].join('\n\n')}\n`;
}

/** The text of docs/configuration.md: a table of settings for each section. */
export function configurationGuide(): string {
  const sections = SECTIONS.map(({ title, settings }) => `## ${title}\n\n${table(settings)}\n`);
  return [GUIDE_HEAD, ...sections].join('\n');
}

const meaningOf = ({ meaning, secret }: Setting<unknown>): string =>
  secret === true ? `${meaning} A secret.` : meaning;

const asComment = (setting: Setting<unknown>): string =>
  `${wrap(meaningOf(setting)).join('\n')}\n#${setting.name}=${setting.fallback ?? ''}\n`;

/** A sentence as comment lines. */
function wrap(sentence: string): readonly string[] {
  const lines = ['#'];
  for (const word of sentence.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH) lines.splice(-1, 1, line);
    else lines.push(`# ${word}`);
  }
  return lines;
}

const code = (text: string): string => `\`${text}\``;

/** A Markdown table, padded as Prettier does it. */
function table(settings: readonly Setting<unknown>[]): string {
  const rows = settings.map((setting) => [
    code(setting.name),
    setting.fallback === undefined ? '' : code(setting.fallback),
    meaningOf(setting).replaceAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g, code),
  ]);
  const head = ['Variable', 'Default', 'Meaning'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[], fill: string): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  return [line(head, ' '), line([], '-'), ...rows.map((row) => line(row, ' '))].join('\n');
}
