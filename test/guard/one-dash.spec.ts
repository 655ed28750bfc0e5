import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = 'console/src';
/** A hyphen or a short dash where a value would stand. A range, such as 1–2, is something else. */
const OTHER_DASH = /(['"`>])[–-](['"`<])/;
/** Reads of programs, not of people: the column of an import that is left out, and the separator of an id. */
const NO_VALUES = /LEFT_OUT|replaceAll|split|join|includes|padStart/;

it('stands for a value that there is none of: —, and no other', () => {
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.spec)\.tsx?$/.test(name))
    .flatMap((name) =>
      readFileSync(join(SOURCES, name), 'utf8')
        .split('\n')
        .filter((line) => OTHER_DASH.test(line) && !NO_VALUES.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
