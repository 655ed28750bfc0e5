import { printParseErrorCode, type ParseError } from 'jsonc-parser';

/** Faults of JSON, by the parser's names. */
const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is something that is not a value, such as a word without quotation marks',
  InvalidNumberFormat: 'a number is not written as one',
  PropertyNameExpected: 'the name of a member is missing, or there is one comma too many',
  ValueExpected: 'a value is missing, or there is one comma too many',
  ColonExpected: 'a colon is missing after a name',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a brace is not closed',
  CloseBracketExpected: 'a bracket is not closed',
  EndOfFileExpected: 'something follows after its end',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed by a quotation mark',
  UnexpectedEndOfNumber: 'a number ends too early',
  InvalidUnicode: 'a \\u is not followed by four digits',
  InvalidEscapeCharacter: 'a backslash is followed by what it cannot escape',
  InvalidCharacter: 'a text contains a line end or another control character',
};

/** Describes the fault of a JSON text, with its line. Pure. */
export function jsonFault(text: string, { error, offset }: ParseError): string {
  const line = text.slice(0, offset).split('\n').length;
  return `${WORDS[printParseErrorCode(error)] ?? 'it cannot be read'} (line ${line})`;
}
