/** Release notes as they are written: for all languages, and for some of them. */
export interface NotesDraft {
  readonly forAll: string;
  readonly languages: readonly { readonly locale: string; readonly text: string }[];
}

export const NO_NOTES: NotesDraft = { forAll: '', languages: [] };

/** The fields of a push that hold the notes; a language with neither name nor text is left out. Pure. */
export function notesFields({ forAll, languages }: NotesDraft): Readonly<Record<string, string>> {
  const written = languages
    .map(({ locale, text }) => [locale.trim(), text.trim()] as const)
    .filter(([locale, text]) => locale !== '' || text !== '');
  return {
    ...(forAll.trim() === '' ? {} : { notes: forAll }),
    ...(written.length === 0 ? {} : { localizedNotes: JSON.stringify(Object.fromEntries(written)) }),
  };
}
