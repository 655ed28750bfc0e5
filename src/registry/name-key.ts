/** What nobody sees: joiners, fillers, variation selectors. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns the key by which names are compared: equal for all cases, all equivalent Unicode forms and all invisible characters of a name. */
export const nameKeyOf = (name: string): string =>
  // Through upper case, since some letters are equal only there: ß and SS, σ and ς.
  name
    .replaceAll(UNSEEN, '')
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(UNSEEN, '');
