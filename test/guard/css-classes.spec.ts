import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = 'console/src';
const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).map((name) => join(SOURCES, name));
const read = (file: string): string => readFileSync(file, 'utf8');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

const SCRIPTS = FILES.filter((name) => /(?<!\.spec)\.tsx?$/.test(name)).map((file) => ({ file, text: read(file) }));

/** The classes of a sheet, and those that the scripts which import it use. */
function classesOf(sheet: string): { readonly declared: readonly string[]; readonly used: (name: string) => boolean } {
  const selectors = read(sheet)
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}');
  const texts = SCRIPTS.filter(({ file, text }) =>
    all(text, /from '([^']+\.module\.css)'/g).some((path) => join(dirname(file), path) === sheet),
  ).map(({ text }) => text);
  // A class that is chosen by a value, such as css[state], has that value's name.
  const isChosen = texts.some((text) => text.includes('css['));
  return {
    declared: [...new Set(all(selectors, /\.([a-zA-Z_]\w*)/g))],
    used: (name) => {
      const value = new RegExp(String.raw`\b${name.replace(/\d$/, String.raw`\$`)}(?:\b|\{)`);
      return texts.some((text) => new RegExp(String.raw`css\.${name}\b`).test(text) || (isChosen && value.test(text)));
    },
  };
}

it('has in its style sheets no class that nobody wears', () => {
  const sheets = FILES.filter((name) => name.endsWith('.module.css'));
  expect(sheets.length).toBeGreaterThan(10);
  const unused = sheets.flatMap((sheet) => {
    const { declared, used } = classesOf(sheet);
    return declared.filter((name) => !used(name)).map((name) => `${sheet}: .${name}`);
  });
  expect(unused).toEqual([]);
});
