import { printParseErrorCode, stripComments, visit } from 'jsonc-parser';
import { InvalidManifest } from './archive-errors.js';
import { MAX_JSON_DEPTH } from './archive-limits.js';

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

const FAULTS: Readonly<Record<string, string>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  PropertyNameExpected: 'a quoted name is missing (no comma may follow the last member)',
  ValueExpected: 'a value is missing (no comma may follow the last item)',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something follows the end of the document',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'a \\u escape sequence is incomplete',
  InvalidEscapeCharacter: 'an escape sequence is unknown',
  InvalidCharacter: 'a string contains a control character',
};

/** Whether a JSON value is an object, which a list is not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads UTF-8, with or without a byte order mark, as browsers do for the JSON files of an extension. */
export function decodeText(bytes: Uint8Array, file: string): string {
  const [first, second] = bytes;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (marked || (bytes.length > 1 && (first === 0) !== (second === 0))) {
    throw new InvalidManifest(`${file} is in UTF-16: save it as UTF-8.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidManifest(`${file} is not valid UTF-8.`);
  }
}

/** Reads JSON in which comments are allowed, as Chrome does: comments, and nothing else beyond the standard. */
export function parseJson(text: string, file: string): unknown {
  checkSyntax(text, file);
  try {
    return JSON.parse(stripComments(text, ' ')) as unknown;
  } catch {
    throw new InvalidManifest(`${file} is not valid JSON.`);
  }
}

/** Finds the first syntax error before the text is parsed, because only this parser says where it is. */
function checkSyntax(text: string, file: string): void {
  let depth = 0;
  const enter = (): void => {
    depth += 1;
    if (depth > MAX_JSON_DEPTH) throw new InvalidManifest(`${file} nests deeper than ${MAX_JSON_DEPTH} levels.`);
  };
  const leave = (): void => {
    depth -= 1;
  };
  visit(text, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onError: (code, _offset, _length, line, column) => {
      const fault = FAULTS[printParseErrorCode(code)] ?? 'a character is unexpected';
      throw new InvalidManifest(`${file} is not valid JSON: ${fault} at line ${line + 1}, column ${column + 1}.`);
    },
  });
}
