/** Returns the key by which names are compared: equal for all cases and all equivalent Unicode forms of a name. */
export const nameKeyOf = (name: string): string =>
  // Through upper case, since some letters are equal only there: ß and SS, σ and ς.
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
