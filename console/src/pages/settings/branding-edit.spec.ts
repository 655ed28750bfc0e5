import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { base64Of, colourIn, conflictsOf, drafted, type Branding, type Draft } from './branding-edit';

const BASE = {
  displayName: 'Owl',
  supportAddress: null,
  accentColor: '#aabbcc',
  logo: { sha256: 'a' },
} as unknown as Branding;

describe('a change of the branding', () => {
  it.each<[string, Draft, Draft, Draft]>([
    ['keeps what is other than before', {}, { displayName: 'Eagle' }, { displayName: 'Eagle' }],
    ['forgets what is as before again', { displayName: 'Eagle' }, { displayName: 'Owl' }, {}],
    ['forgets the removal of what is not there', {}, { supportAddress: null }, {}],
    ['keeps the removal of what is there', {}, { logo: null }, { logo: null }],
    ['joins the changes', { displayName: 'Eagle' }, { accentColor: null }, { displayName: 'Eagle', accentColor: null }],
  ])('%s', (_, draft, change, all) => {
    expect(drafted(draft, change, BASE)).toEqual(all);
  });

  it('is nothing where everything is put back', () => {
    const text = fc.option(fc.string());
    fc.assert(
      fc.property(fc.record({ displayName: text, accentColor: text, supportAddress: text }), (change) => {
        const { displayName, accentColor, supportAddress } = BASE;
        expect(drafted(drafted({}, change, BASE), { displayName, accentColor, supportAddress }, BASE)).toEqual({});
      }),
    );
  });

  it('shows what others changed meanwhile beside what it would write', () => {
    const now = { ...BASE, displayName: 'Hawk', logo: null };
    expect(conflictsOf(BASE, now, { displayName: 'Eagle', accentColor: null })).toEqual([
      { name: 'displayName', label: 'Name', theirs: 'Hawk', mine: 'Eagle' },
      { name: 'logo', label: 'Logo', theirs: 'nothing', mine: null },
    ]);
    expect(conflictsOf(BASE, BASE, { displayName: 'Eagle' })).toEqual([]);
  });
});

it.each([
  ['#AABBCC', '#aabbcc'],
  [' aabbcc ', '#aabbcc'],
  ['#abc', null],
  ['#aabbcg', null],
  ['##aabbcc', null],
  ['', null],
])('the colour “%s” is sent as %s', (text, colour) => {
  expect(colourIn(text)).toBe(colour);
});

it('a file is sent as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (content) => {
      const sent = await base64Of(new Blob([content]) as File);
      expect(Array.from(atob(sent), (one) => one.charCodeAt(0))).toEqual([...content]);
    }),
  );
});
