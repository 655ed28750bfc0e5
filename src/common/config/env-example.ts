import { SETTINGS, type Setting } from './settings.js';

const WIDTH = 120;

const HEAD = [
  'Every variable that Pierhead reads, made by `npm run env:example` from src/common/config/settings.ts.',
  'What stands commented out is the default; an empty variable counts as absent.',
];

/** The text of `.env.example`: each setting with its meaning, commented out. */
export function envExample(): string {
  const settings = Object.values<Setting<unknown>>(SETTINGS);
  const entries = settings.map(({ name, meaning, fallback, secret }) => [
    ...wrap(secret === true ? `${meaning} A secret.` : meaning),
    `#${name}=${fallback ?? ''}`,
  ]);
  return `${[HEAD.flatMap(wrap), ...entries].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

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
