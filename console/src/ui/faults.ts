const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Fault of a value, as a sentence: the service says what its name does not have to repeat, such as “must be a whole number.” */
export const faultOf = (name: string, message: string): string =>
  name === '' || /^\p{Lu}/u.test(message) ? capital(message) : `${capital(name.replace(/ \(.*\)$/, ''))} ${message}`;

/** The words of a field that no form shows: `0.productId` is “entry 1, product id”. */
export const wordsOf = (path: string): string =>
  path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `entry ${Number(part) + 1}` : inWords(part)))
    .join(', ');

const inWords = (name: string): string => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
