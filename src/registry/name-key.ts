/** What makes a name unique: every spelling of it in upper and lower case, and in Unicode's equivalent forms, has one key. */
export const nameKeyOf = (name: string): string =>
  // By way of upper case, since some letters have only that in common: ß and SS, σ and ς.
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
