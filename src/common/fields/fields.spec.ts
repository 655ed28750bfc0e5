import { describe, expect, it } from 'vitest';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { NIL_ID } from './ids.js';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  EmailField,
  IdField,
  IntField,
  IntQuery,
  NameField,
  ObjectField,
  OpenObjectField,
  TextField,
  TextsField,
  TimeField,
} from './fields.js';

const description = 'x';
const optional = true;
const nullable = true;

class Inner {
  @BooleanField({ description })
  flag!: boolean;
}

/** One field of each kind; all may be left out, so that each test gives one. */
class Form {
  @TextField({ description, max: 5, optional })
  text?: string;
  @TextField({ description, max: 5, min: 3, verbatim: true, optional })
  verbatim?: string;
  @TextField({ description, max: 5, optional, nullable })
  clearable?: string | null;
  @NameField({ description, max: 9, optional, nullable })
  name?: string | null;
  @EmailField({ description, optional })
  email?: string;
  @IntField({ description, min: 1, max: 9, optional })
  int?: number;
  @IntQuery({ description, min: 1, max: 9, optional })
  query?: number;
  @BooleanField({ description, optional })
  flag?: boolean;
  @ChoiceField({ description, of: ['a', 'b'], optional })
  choice?: string;
  @ChoicesField({ description, of: ['a', 'b'], optional })
  choices?: string[];
  @TextsField({ description, maxEntries: 2, optional })
  texts?: string[];
  @IdField({ description, optional })
  id?: string;
  @TimeField({ description, optional })
  time?: string;
  @ObjectField({ description, type: () => Inner, optional })
  inner?: Inner;
  @OpenObjectField({ description, optional })
  open?: object;
}

/** The form as it is read, or what is said about the one field that does not fit. */
function read(given: object): unknown {
  const form = plainToInstance(Form, given);
  const faults = validateSync(form, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  const [message] = Object.values(faults[0]?.constraints ?? faults[0]?.children?.[0]?.constraints ?? {});
  return message ?? form;
}

class Needed {
  @TextField({ description, max: 5, nullable })
  clearable!: string | null;
}

describe('a field', () => {
  it.each<[object, object]>([
    [{ text: '  abc ' }, { text: 'abc' }],
    [{ text: '😀😀😀😀😀' }, { text: '😀😀😀😀😀' }],
    [{ verbatim: ' a ' }, { verbatim: ' a ' }],
    [{ clearable: null }, { clearable: null }],
    [{ name: null }, { name: null }],
    [{ name: ' Night Owl ' }, { name: 'Night Owl' }],
    [{ name: '👩\u200d💻' }, { name: '👩\u200d💻' }],
    [{ name: 'می\u200cخواهم' }, { name: 'می\u200cخواهم' }],
    [{ email: ' Me@Author.EXAMPLE ' }, { email: 'me@author.example' }],
    [{ query: '9' }, { query: 9 }],
    [{ choices: ['b', 'a'] }, { choices: ['b', 'a'] }],
    [{ id: 'no uuid' }, { id: NIL_ID }],
    [{ id: '01890000-0000-7000-8000-00000000000A' }, { id: '01890000-0000-7000-8000-00000000000a' }],
    [{ inner: { flag: false } }, { inner: { flag: false } }],
    [{ open: { any: [1] } }, { open: { any: [1] } }],
  ])('accepts %j', (given, taken) => {
    expect(read(given)).toEqual(Object.assign(new Form(), taken));
  });

  it.each<[object, RegExp]>([
    [{ text: ' \t\n ' }, /1 to 5 characters/],
    [{ text: 'abcdef' }, /1 to 5 characters/],
    [{ text: null }, /1 to 5 characters/],
    [{ text: ['a'] }, /1 to 5 characters/],
    [{ text: 'a\0b' }, /NUL/],
    [{ text: 'a\ud800' }, /surrogates/],
    [{ text: 'a\n\udc00' }, /surrogates/],
    [{ verbatim: 'ab' }, /3 to 5/],
    [{ clearable: '' }, /1 to 5/],
    [{ name: 'Night\u202eOwl' }, /visible text/],
    [{ name: 'Night\u200bOwl' }, /visible text/],
    [{ name: 'Night\nOwl' }, /visible text/],
    [{ name: 'Night\u0007' }, /visible text/],
    [{ name: '\u200d' }, /visible text/],
    [{ email: 'me@' }, /e-mail address/],
    [{ email: 'me@author.example\0' }, /e-mail address/],
    [{ email: 'm\ud800e@author.example' }, /e-mail address/],
    [{ email: '\u202eme@author.example' }, /e-mail address/],
    [{ email: 'm\u200be@author.example' }, /e-mail address/],
    [{ email: `${'x'.repeat(300)}@author.example` }, /e-mail address/],
    [{ int: 0 }, /from 1 to 9/],
    [{ int: 1.5 }, /whole number/],
    [{ int: '1' }, /whole number/],
    [{ int: Infinity }, /whole number/],
    [{ query: '1e0' }, /whole number/],
    [{ query: '' }, /whole number/],
    [{ query: ['1', '2'] }, /whole number/],
    [{ flag: 'true' }, /true or false/],
    [{ flag: 1 }, /true or false/],
    [{ choice: 'c' }, /one of a, b/],
    [{ choice: 'toString' }, /one of a, b/],
    [{ choices: [] }, /at least one/],
    [{ choices: 'a' }, /list/],
    [{ choices: ['a', 'a'] }, /once/],
    [{ choices: ['a', 'c'] }, /only a, b/],
    [{ texts: ['a', 'b', 'c'] }, /at most 2/],
    [{ texts: [1] }, /only text/],
    [{ texts: { 0: 'a' } }, /list/],
    [{ id: '' }, /an id/],
    [{ id: 7 }, /an id/],
    [{ time: 'tomorrow' }, /ISO 8601/],
    [{ time: 1_800_000_000 }, /ISO 8601/],
    [{ time: '2027-02-29' }, /ISO 8601/],
    [{ time: '2027-01-01T00:00:00' }, /offset/],
    [{ time: '2027-W01-1' }, /offset/],
    [{ time: '9999-12-31T23:59:59Z' }, /ISO 8601/],
    [{ inner: {} }, /true or false/],
    [{ inner: [] }, /object/],
    [{ inner: null }, /object/],
    [{ open: [] }, /object/],
    [{ open: 'text' }, /object/],
    [{ strange: 1 }, /strange should not exist/],
  ])('refuses %j', (given, says) => {
    expect(read(given)).toMatch(says);
  });

  it('that may be null is still required when it is not optional', () => {
    expect(validateSync(plainToInstance(Needed, { clearable: null }))).toEqual([]);
    expect(validateSync(plainToInstance(Needed, {}))).toHaveLength(1);
  });

  it('accepts only times that the database can store', () => {
    const two = fc.integer({ min: 0, max: 70 }).map((number) => String(number).padStart(2, '0'));
    const part = fc.constantFrom('', 'Z', '.5Z', ':00Z', '+23:59', '-00:00', 'T24:00Z', ' ');
    const year = fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0'));
    const near = fc
      .tuple(year, two, two, two, two, part)
      .map(([y, month, day, hour, minute, end]) => `${y}-${month}-${day}T${hour}:${minute}${end}`);
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          fc.date().map((date) => JSON.stringify(date).slice(1, -1)),
        ),
        (time) => {
          const form = read({ time });
          if (typeof form === 'string') return;
          expect(new Date(time).toISOString()).toMatch(/^[0-9]{4}-/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never accepts text that PostgreSQL or a browser cannot handle', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 6 }), fc.nat(0xffff), (text, code) => {
        const form = read({ text: text + String.fromCharCode(code) });
        if (!(form instanceof Form)) return;
        expect(form.text).not.toContain('\0');
        expect(form.text).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 500 },
    );
  });
});
