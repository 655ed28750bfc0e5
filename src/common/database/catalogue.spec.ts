import { describe, expect, it } from 'vitest';
import { driftOf, SchemaDrift } from './catalogue.js';

const MADE = [
  'table license',
  'column license.id uuid not null',
  'column license.note text',
  'constraint license.license_pkey PRIMARY KEY (id)',
  'index license.license_note_idx USING btree (note)',
  'table event partition by RANGE (day)',
  'column event.day date not null',
];
const without = (...lines: readonly string[]): readonly string[] => MADE.filter((line) => !lines.includes(line));

describe('a database', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['as the migrations make it', MADE, [], []],
    ['in another order', MADE.toReversed(), [], []],
    ['without a column', without('column license.note text'), ['column license.note is missing'], []],
    [
      'with another type',
      [...without('column license.note text'), 'column license.note integer'],
      ['column license.note is “integer” instead of “text”'],
      [],
    ],
    [
      'without a constraint and an index',
      without('constraint license.license_pkey PRIMARY KEY (id)', 'index license.license_note_idx USING btree (note)'),
      ['constraint license.license_pkey is missing', 'index license.license_note_idx is missing'],
      [],
    ],
    [
      'without a table, of which no column is named',
      without('table event partition by RANGE (day)', 'column event.day date not null'),
      ['table event is missing'],
      [],
    ],
    [
      'whose table has no partitions',
      [...without('table event partition by RANGE (day)'), 'table event'],
      ['table event is “” instead of “partition by RANGE (day)”'],
      [],
    ],
    [
      'with a column and a constraint more',
      [...MADE, 'column license.tag text', 'constraint license.tag_check CHECK (true)'],
      ["column license.tag is not Pierhead's", "constraint license.tag_check is not Pierhead's"],
      [],
    ],
    [
      "with an index of the operator's own",
      [...MADE, 'index license.mine USING hash (id)'],
      [],
      ['index license.mine'],
    ],
    [
      "with a table of the operator's own, of which nothing else is named",
      [...MADE, 'table mine', 'column mine.id uuid', 'index mine.mine_id_idx USING btree (id)'],
      [],
      ['table mine'],
    ],
  ])('%s', (_, found, faults, own) => {
    expect(driftOf(found, MADE)).toEqual({ faults, own });
  });

  it('that differs in many things is refused with the first three and the number of the others', () => {
    expect(new SchemaDrift(driftOf([], MADE)).message).toMatch(
      /makes it: table license is missing, table event is missing\. /,
    );
    const faults = ['a', 'b', 'c', 'd', 'e'];
    expect(new SchemaDrift({ faults, own: [] }).message).toMatch(/makes it: a, b, c, and 2 more\. /);
  });
});
