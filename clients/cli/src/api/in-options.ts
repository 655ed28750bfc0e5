import { Failure } from '../failure.js';

/** Names that commands have for the API's fields of two words, which are also found in sentences. */
const OPTIONS: Readonly<Record<string, string>> = {
  storeItemId: '--item',
  crxId: '--item',
  credentialId: 'the key',
  publisherId: 'the publisher id',
  rolloutPercent: 'the percentage',
  extensionIds: '--extension',
  expiresInDays: '--expires',
  expiresAt: '--expires',
  planId: '--plan',
  maxActivations: '--devices',
  buyerEmail: 'the e-mail address',
  tenantName: '--tenant',
  reviewerNotes: '--reviewer-notes-file',
  localizedNotes: '--notes-file',
};
/** Those that may be any word of a sentence. */
const FIELDS: Readonly<Record<string, string>> = {
  ...OPTIONS,
  email: '--email',
  extension: '--extension',
  from: '--from',
  granularity: '--every',
  notes: '--notes',
  reason: '--reason',
  scopes: '--scope',
  store: '--store',
  to: '--to',
};
const IN_SENTENCE = new RegExp(
  String.raw`(?:\bthe (?:target's |credential's )?)?\b(${Object.keys(OPTIONS).join('|')})\b`,
  'gi',
);

/** Replaces fields and calls of the API in the service's sentences by options, questions and commands. */
export const sentenceInOptions = (text: string): string =>
  text
    .replaceAll(IN_SENTENCE, (whole, name: string) => OPTIONS[name] ?? whole)
    .replaceAll(/the parameter (store|target)\b/g, '--$1')
    .replace('override the finding.', 'override the finding with: pierhead override')
    .replace('or an e-mail says why.', 'or an e-mail says why; more with: pierhead rejected.');

/** A field of the body; `scopes.0` is one of several values of an option. */
const fieldInOptions = (field: string): string => FIELDS[field.replace(/(\.\d+)+$/, '')] ?? sentenceInOptions(field);

/** A refusal as who types commands understands it. */
export function inOptions(failure: Failure): Failure {
  const { errors, message } = failure;
  const said = errors.reduce((text, { field }) => text.replaceAll(`${field}: `, `${fieldInOptions(field)}: `), message);
  return new Failure(sentenceInOptions(said), {
    ...failure,
    errors: errors.map((each) => ({ field: fieldInOptions(each.field), message: sentenceInOptions(each.message) })),
  });
}
