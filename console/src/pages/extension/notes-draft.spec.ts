import { expect, it } from 'vitest';
import { notesFields, NO_NOTES, type NotesDraft } from './notes-draft';

it.each<[string, NotesDraft, object]>([
  ['nothing is no field', NO_NOTES, {}],
  ['a text for all', { ...NO_NOTES, forAll: 'Counts.' }, { notes: 'Counts.' }],
  ['spaces are nothing', { forAll: ' ', languages: [{ locale: ' ', text: '\n' }] }, {}],
  [
    'languages',
    {
      forAll: 'Counts.',
      languages: [
        { locale: ' de ', text: 'Zählt.' },
        { locale: '', text: '' },
      ],
    },
    { notes: 'Counts.', localizedNotes: '{"de":"Zählt."}' },
  ],
  [
    'a text without its language',
    { ...NO_NOTES, languages: [{ locale: '', text: 'x' }] },
    { localizedNotes: '{"":"x"}' },
  ],
])('%s', (_title, draft, fields) => {
  expect(notesFields(draft)).toEqual(fields);
});
