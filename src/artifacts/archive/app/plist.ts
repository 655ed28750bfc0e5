import { InvalidArchive } from '../archive-errors.js';
import { decodeText } from '../json-text.js';
import { parseXml, type XmlElement } from './xml.js';

/** The texts and dictionaries of a property list; null for every other value. */
export type PlistValue = string | PlistDictionary | null;
export interface PlistDictionary {
  readonly [key: string]: PlistValue;
}

/** Dictionaries within each other; those of an app's Info.plist nest four deep. */
const MAX_DEPTH = 16;
/** Values of one property list. A binary one may refer to a value many times, so its size alone is no limit. */
const MAX_VALUES = 20_000;

/** Characters of one text; a longer one is left out, since it may be referred to many times. */
const MAX_TEXT = 4096;

const TRAILER_BYTES = 32;
const BINARY = 'bplist00';

/**
 * Reads the dictionary of a property list, binary or XML.
 * @param what names the file, in the middle of a sentence
 * @throws InvalidArchive
 */
export function parsePlist(bytes: Buffer, what: string): PlistDictionary {
  const value = bytes.subarray(0, BINARY.length).toString('latin1') === BINARY ? binary(bytes, what) : xml(bytes, what);
  if (value === null || typeof value === 'string') throw new InvalidArchive(`The ${what} is not a dictionary.`);
  return value;
}

/** The text under a key; null for none. */
export function textIn(dictionary: PlistDictionary, key: string): string | null {
  const value = Object.hasOwn(dictionary, key) ? dictionary[key] : null;
  return typeof value === 'string' ? value : null;
}

/** The dictionary under a key; an empty one for none. */
export function dictionaryIn(dictionary: PlistDictionary, key: string): PlistDictionary {
  const value = Object.hasOwn(dictionary, key) ? dictionary[key] : null;
  return typeof value === 'object' && value !== null ? value : {};
}

function xml(bytes: Buffer, what: string): PlistValue {
  const document = parseXml(decodeText(bytes, what), what);
  const [root] = document.children;
  if (document.name !== 'plist' || root === undefined) throw new InvalidArchive(`The ${what} is not a property list.`);
  return xmlValue(root);
}

function xmlValue({ name, children, text }: XmlElement): PlistValue {
  if (name === 'string') return text;
  if (name !== 'dict') return null;
  const entries = children.flatMap((key, at) => {
    const value = children[at + 1];
    return at % 2 === 0 && key.name === 'key' && value !== undefined ? [[key.text, xmlValue(value)] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Reads Apple's binary form: a table says where each object starts, and dictionaries refer to objects by number. */
function binary(bytes: Buffer, what: string): PlistValue {
  const damaged = (): InvalidArchive => new InvalidArchive(`The ${what} is a damaged property list.`);
  return new BinaryPlist(bytes, damaged).root();
}

class BinaryPlist {
  private readonly offsetBytes: number;
  private readonly refBytes: number;
  private readonly top: number;
  private readonly tableAt: number;
  private values = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly damaged: () => InvalidArchive,
  ) {
    const trailer = bytes.length - TRAILER_BYTES;
    this.offsetBytes = this.byte(trailer + 6);
    this.refBytes = this.byte(trailer + 7);
    this.top = this.integer(trailer + 16, 8);
    this.tableAt = this.integer(trailer + 24, 8);
  }

  root(): PlistValue {
    return this.value(this.top, 0);
  }

  private value(object: number, depth: number): PlistValue {
    this.values += 1;
    if (this.values > MAX_VALUES || depth > MAX_DEPTH) throw this.damaged();
    const at = this.integer(this.tableAt + object * this.offsetBytes, this.offsetBytes);
    const marker = this.byte(at);
    switch (marker >>> 4) {
      case 0x5:
        return this.text(at, marker, 'latin1');
      case 0x6:
        return this.text(at, marker, 'utf16le');
      case 0xd:
        return this.dictionary(at, marker, depth);
      default:
        return null;
    }
  }

  private text(at: number, marker: number, encoding: 'latin1' | 'utf16le'): string | null {
    const { count, start } = this.counted(at, marker);
    if (count > MAX_TEXT) return null;
    const raw = this.slice(start, encoding === 'latin1' ? count : count * 2);
    return encoding === 'latin1' ? raw.toString(encoding) : Buffer.from(raw).swap16().toString(encoding);
  }

  private dictionary(at: number, marker: number, depth: number): PlistDictionary {
    const { count, start } = this.counted(at, marker);
    if (count > MAX_VALUES) throw this.damaged();
    const refAt = (index: number): number => this.integer(start + index * this.refBytes, this.refBytes);
    const entries: [string, PlistValue][] = [];
    for (let index = 0; index < count; index += 1) {
      const key = this.value(refAt(index), depth + 1);
      if (typeof key !== 'string') throw this.damaged();
      entries.push([key, this.value(refAt(count + index), depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  /** Length of a value in its marker, or in the number after it where it does not fit in there. */
  private counted(at: number, marker: number): { readonly count: number; readonly start: number } {
    const inMarker = marker & 0x0f;
    if (inMarker !== 0x0f) return { count: inMarker, start: at + 1 };
    const width = 2 ** (this.byte(at + 1) & 0x0f);
    return { count: this.integer(at + 2, width), start: at + 2 + width };
  }

  private byte(at: number): number {
    return this.slice(at, 1)[0] ?? 0;
  }

  /** Every position and length comes from the file. */
  private slice(start: number, length: number): Buffer {
    if (start < 0 || start + length > this.bytes.length) throw this.damaged();
    return this.bytes.subarray(start, start + length);
  }

  private integer(at: number, width: number): number {
    if (width < 1 || width > 8) throw this.damaged();
    const value = BigInt(`0x${this.slice(at, width).toString('hex') || '0'}`);
    if (value > BigInt(this.bytes.length)) throw this.damaged();
    return Number(value);
  }
}
