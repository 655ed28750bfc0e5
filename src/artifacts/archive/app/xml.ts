import { SaxesParser } from 'saxes';
import { quotable } from '../../../common/net/pure.js';
import { InvalidArchive } from '../archive-errors.js';

/** An element, with the text directly in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Elements within each other; a table of contents nests one for each folder. */
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 100_000;

/**
 * The root element of a document. Entities other than XML's own five are refused, so none can grow.
 * @param what names the document, in the middle of a sentence
 * @throws InvalidArchive
 */
export function parseXml(text: string, what: string): XmlElement {
  const refuse = (why: string): InvalidArchive => new InvalidArchive(`The ${what} cannot be read: ${why}.`);
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let count = 0;
  const parser = new SaxesParser();
  const addText = (piece: string): void => {
    const inner = open.at(-1);
    if (inner !== undefined) inner.text += piece;
  };
  parser.on('error', (error) => {
    throw refuse(quotable(error.message));
  });
  parser.on('opentag', ({ name, attributes }) => {
    count += 1;
    if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw refuse('it has too many elements');
    const element: XmlElement = { name, attributes: { ...attributes }, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  const [document] = root.children;
  if (document === undefined) throw refuse('it is empty');
  return document;
}

/** The first child of that name. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** The trimmed text of the first child of that name; empty where there is none. */
export const textOf = (element: XmlElement | undefined, name: string): string =>
  childOf(element, name)?.text.trim() ?? '';
