import { expect, it } from 'vitest';
import fc from 'fast-check';
import { orderIn, readDate } from './dates.js';

it.each<[string, string | null | RegExp]>([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T12:30:15Z', '2027-01-31T12:30:15.000Z'],
  ['2027-01-31T12:30:15.123456Z', '2027-01-31T12:30:15.000Z'],
  ['2027-01-31 12:30:15 UTC', '2027-01-31T12:30:15.000Z'],
  ['2027-01-31 12:30:15 +0000', '2027-01-31T12:30:15.000Z'],
  ['2027-01-31 12:30:15 +0200', '2027-01-31T10:30:15.000Z'],
  ['2027-01-31 12:30:15.678+02', '2027-01-31T10:30:15.000Z'],
  ['2027-01-31T12:30:15-05:30', '2027-01-31T18:00:15.000Z'],
  ['2027/1/31', '2027-01-31T00:00:00.000Z'],
  ['31.01.2027', '2027-01-31T00:00:00.000Z'],
  ['31.1.2027 12:30', '2027-01-31T12:30:00.000Z'],
  ['January 31, 2027', '2027-01-31T00:00:00.000Z'],
  ['Jan 31st, 2027', '2027-01-31T00:00:00.000Z'],
  ['31 Jan 2027', '2027-01-31T00:00:00.000Z'],
  ['31-Jan-2027', '2027-01-31T00:00:00.000Z'],
  ['Sun, 31 Jan 2027 12:30:15 GMT', '2027-01-31T12:30:15.000Z'],
  ['31/01/2027', '2027-01-31T00:00:00.000Z'],
  ['01/31/2027 1:05 PM', '2027-01-31T13:05:00.000Z'],
  ['1/31/2027 12:05 am', '2027-01-31T00:05:00.000Z'],
  ['02/02/2027', '2027-02-02T00:00:00.000Z'],
  ['1801398615', '2027-01-31T12:30:15.000Z'],
  ['1801398615000', '2027-01-31T12:30:15.000Z'],
  ['', null],
  ['-', null],
  ['null', null],
  ['Never', null],
  ['lifetime', null],
  ['03/04/2027', /two days/],
  ['2027-02-30', /must be a date/],
  ['2027-13-01', /must be a date/],
  ['31 Foo 2027', /must be a date/],
  ['2027-01-31T25:00:00Z', /must be a date/],
  ['2027-01-31T12:30:15+99:00', /must be a date/],
  ['tomorrow', /must be a date/],
  ['20270131', /must be a date/],
])('%j is read as %s', (text, expected) => {
  const read = readDate(text);
  if (expected instanceof RegExp) expect(read).toEqual({ fault: expect.stringMatching(expected) });
  else expect(read).toEqual(expected === null ? null : new Date(expected));
});

it.each<[string, ReturnType<typeof orderIn>]>([
  ['31/12/2027', 'day-first'],
  ['12-31-2027 10:00', 'month-first'],
  ['03/04/2027', 'either'],
  ['03/03/2027', null],
  ['2027-04-03', null],
  ['3.4.2027', null],
  ['never', null],
  ['', null],
])('%j tells %s of the others', (text, expected) => {
  expect(orderIn(text)).toBe(expected);
});

it('a date is read in the order that others tell, unless it tells another one', () => {
  expect(readDate('03/04/2027', 'day-first')).toEqual(new Date('2027-04-03'));
  expect(readDate('03/04/2027', 'month-first')).toEqual(new Date('2027-03-04'));
  for (const order of ['day-first', 'month-first'] as const)
    for (const text of ['31/12/2027', '12/31/2027', '2027-12-31', '31.12.2027'])
      expect(readDate(text, order)).toEqual(new Date('2027-12-31'));
});

it('any day is read from each of its forms', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1971-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (day) => {
      const iso = day.toISOString().slice(0, 10);
      const [year, month, date] = iso.split('-');
      const name = day.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
      for (const text of [
        iso,
        `${year}/${month}/${date}`,
        `${date}.${month}.${year}`,
        `${name} ${Number(date)}, ${year}`,
        `${date} ${name.slice(0, 3)} ${year}`,
      ])
        expect(readDate(text)).toEqual(new Date(iso));
    }),
  );
});
