/** A number of installs or users. */
export const count = (number: number): string => number.toLocaleString('en');
