import { ApiProperty } from '@nestjs/swagger';
import { ObjectField, PatternField, TextField, TextMapField } from '../common/fields/index.js';
import { DATA_USES, MAX_JUSTIFICATION, type PrivacyField } from './archive/index.js';
import { FILE } from './packages/upload.js';

export const MAX_NOTES = 4000;
/** More than any store has. */
const MAX_LOCALES = 100;
const MAX_REASONS = 200;
const LOCALE = /^[A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8}){0,3}$/;
const DATA_USE = new RegExp(`^(?:${Object.keys(DATA_USES).join('|')})$`);
/** Of a manifest: a permission, or a match pattern. */
const REQUESTED = /^[\x21-\x7e]{1,255}$/;

/** The schema of texts by name that may be null. */
export const NULLABLE_TEXTS = { type: 'object', additionalProperties: { type: 'string' }, nullable: true } as const;

/** Release notes by locale. */
export const LocalizedNotes = ({ optional }: { readonly optional: boolean }): PropertyDecorator =>
  TextMapField({
    description:
      'Release notes in some languages, by locale; the others have `notes`. A store that takes shorter ones refuses the push.',
    names: LOCALE,
    what: 'locales such as de or pt-BR',
    maxEntries: MAX_LOCALES,
    max: MAX_NOTES,
    folded: (locale) => locale.toLowerCase(),
    optional,
    example: { de: 'Zählt die Tabs aller Fenster.' },
  });

/** An abbreviated or full hash of Git, by SHA-1 or SHA-256. */
const COMMIT = /^[\da-f]{7,64}$/;

/** Notes about a version. They may be fields of the form instead, since a URL has less room. */
export class PushNotes {
  @TextField({
    description: 'What is new, for stores that support release notes.',
    max: MAX_NOTES,
    optional: true,
    example: 'Counts tabs of all windows.',
  })
  notes?: string;

  @TextField({
    description: "Notes for the store's reviewers, at Firefox and Edge; the target's reviewerNotes when absent.",
    max: MAX_NOTES,
    optional: true,
    example: 'There is nothing to log in to; the toolbar button shows the number.',
  })
  reviewerNotes?: string;

  @PatternField({
    description:
      'The commit that the package was built from, for the people who look at the version. Of a CI job, its token says it too.',
    pattern: COMMIT,
    message: 'must be 7 to 64 hex digits in lower case.',
    optional: true,
    example: '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
  })
  commit?: string;
}

/** Why an extension asks for what it asks for, for the privacy pages of Chrome and Edge, which have no API. */
export class Justifications {
  @TextField({
    description: 'The one purpose of the extension.',
    max: MAX_JUSTIFICATION,
    optional: true,
    example: 'Counts the tabs of each window.',
  })
  singlePurpose?: string;

  @TextMapField({
    description: 'The reason for each permission of the manifest.',
    names: REQUESTED,
    what: 'permissions',
    maxEntries: MAX_REASONS,
    max: MAX_JUSTIFICATION,
    optional: true,
    example: { tabs: 'To count them.' },
  })
  permissions?: Record<string, string>;

  @TextMapField({
    description: 'The reason for each match pattern of the manifest; `*` for those without one of their own.',
    names: REQUESTED,
    what: 'match patterns',
    maxEntries: MAX_REASONS,
    max: MAX_JUSTIFICATION,
    optional: true,
    example: { 'https://example.com/*': 'To show the number of its tabs on the page.' },
  })
  hosts?: Record<string, string>;

  @TextMapField({
    description: `What is collected, and why, by the kind of data: ${Object.keys(DATA_USES).join(', ')}.`,
    names: DATA_USE,
    what: `kinds of data (${Object.keys(DATA_USES).join(', ')})`,
    maxEntries: Object.keys(DATA_USES).length,
    max: MAX_JUSTIFICATION,
    optional: true,
    example: { webHistory: 'The number of tabs, which stays on the device.' },
  })
  dataUses?: Record<string, string>;
}

/** Texts of a push that only a form has room for: as JSON in its fields. */
export class PushTexts extends PushNotes {
  @LocalizedNotes({ optional: true })
  localizedNotes?: Record<string, string>;

  @ObjectField({
    description: 'Why the extension asks for what it asks for.',
    type: () => Justifications,
    optional: true,
  })
  justifications?: Justifications;
}

/** A field of the privacy page of a store. */
export class PrivacyFormField implements PrivacyField {
  @ApiProperty({ description: 'What the field is about.', example: 'Permission tabs' })
  title!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The text for it; null where the author has given none.',
    example: 'To count them.',
  })
  text!: string | null;
}

/** A push as a form. */
export class PushForm extends PushTexts {
  @ApiProperty({ ...FILE, required: false, description: 'The package, unless the version needs none.' })
  file?: Blob;
}

/** Source code as a form. */
export class SourceForm {
  @ApiProperty({ ...FILE, description: 'The archive.' })
  file!: Blob;
}
