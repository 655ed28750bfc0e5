import type { ReactElement } from 'react';
import type { Problem } from '../../api';
import { Actions, Button, Field, TextArea } from '../../ui';
import type { NotesDraft } from './notes-draft';

interface ReleaseNotesProps {
  readonly draft: NotesDraft;
  readonly onDraft: (draft: NotesDraft) => void;
  readonly problem: Problem | null;
}

/** Release notes for all languages, and a text for each language that is added. */
export function ReleaseNotes({ draft, onDraft, problem }: ReleaseNotesProps): ReactElement {
  const { forAll, languages } = draft;
  const change = (at: number, entry: Partial<NotesDraft['languages'][number]>): void =>
    onDraft({ forAll, languages: languages.map((each, index) => (index === at ? { ...each, ...entry } : each)) });
  const fault = problem?.fault('localizedNotes');
  return (
    <>
      <TextArea
        label="What is new"
        hint={
          languages.length === 0
            ? 'Optional. For stores that show it.'
            : 'Optional. For all languages without their own.'
        }
        value={forAll}
        onValue={(text) => onDraft({ forAll: text, languages })}
        fault={problem?.fault('notes')}
      />
      {languages.map(({ locale, text }, at) => (
        <fieldset key={at}>
          <legend>Language {at + 1}</legend>
          <Field
            label="Language"
            hint="Such as de or pt-BR."
            value={locale}
            onValue={(value) => change(at, { locale: value })}
            required
            fault={fault}
          />
          <TextArea label="What is new in it" value={text} onValue={(value) => change(at, { text: value })} required />
          <Actions>
            <Button onClick={() => onDraft({ forAll, languages: languages.filter((_, index) => index !== at) })}>
              Remove {locale === '' ? 'this language' : locale}
            </Button>
          </Actions>
        </fieldset>
      ))}
      <Actions>
        <Button onClick={() => onDraft({ forAll, languages: [...languages, { locale: '', text: '' }] })}>
          Add a language
        </Button>
      </Actions>
    </>
  );
}
