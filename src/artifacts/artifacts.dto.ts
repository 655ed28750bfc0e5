import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  EXAMPLE,
  IdField,
  IntField,
  NULLABLE_ID,
  NULLABLE_INTEGER,
  NULLABLE_SHA256,
  NULLABLE_TEXT,
  OpenObjectField,
  PatternField,
  TextField,
} from '../common/fields/index.js';
import { PACKAGE_FORMATS, VERSION, STORE_IDS, type PackageFormat, type StoreId } from '../stores/index.js';
import { CiOriginView } from './approvals/index.js';
import { FindingDecision, PushedFinding } from './findings/index.js';
import {
  Justifications,
  LocalizedNotes,
  MAX_NOTES,
  NULLABLE_TEXTS,
  PrivacyFormField,
  PushNotes,
} from './version-texts.dto.js';
import { type Warning, WARNING_KINDS } from './archive/index.js';

export const VERSION_FAULT = 'must be one to four integers of up to nine digits joined by dots, without leading zeros.';
const TARGET = 'Only for this target, which has to be named where its store has several that are enabled.';
const EXAMPLE_MANIFEST = { manifest_version: 3, name: 'Tab Counter', version: '1.4.0', permissions: ['tabs'] };

/** Parameters of a push: the version and its store. */
export class PushQuery extends PushNotes {
  @IdField({ description: 'The extension.' })
  extension!: string;

  @PatternField({
    description:
      "The version to pin: what the package's manifest says as version or version_name, and a signed package as CFBundleShortVersionString. Chrome and Edge take numbers up to 65535 and no version of zeros only; Firefox takes nine digits. Versions that stores consider the same, such as 1.0 and 1.0.0, are one version here too, under the name that was pushed first.",
    pattern: VERSION,
    message: VERSION_FAULT,
    example: '1.4.0',
  })
  version!: string;

  @ChoiceField({
    description:
      'Only for this store; for every target when absent. A signed .crx is for chrome alone, and a version may have a zip for the others besides.',
    of: STORE_IDS,
    optional: true,
  })
  store?: StoreId;

  @IdField({ description: TARGET, optional: true })
  target?: string;

  @ChoiceField({
    description:
      '`follows` announces that the source code will be attached next. Stores that review it wait for up to an hour; then the target needs a person. Pushing the version again without it withdraws the announcement.',
    of: ['follows'],
    optional: true,
  })
  source?: 'follows';
}

/** Targets at which to pin an earlier push. */
export class PinAgain {
  @ChoiceField({ description: 'Only for this store; for every target when absent.', of: STORE_IDS, optional: true })
  store?: StoreId;

  @IdField({ description: TARGET, optional: true })
  target?: string;
}

/** Filter of a list of artifacts. */
export class ArtifactsQuery {
  @IdField({ description: 'The extension.' })
  extension!: string;
}

/** The push to check. */
export class CheckQuery extends ArtifactsQuery {
  @ChoiceField({ description: 'Only for this store; for every target when absent.', of: STORE_IDS, optional: true })
  store?: StoreId;

  @IdField({ description: TARGET, optional: true })
  target?: string;
}

/** A package that is about to be pushed. */
export class CheckPackage {
  @OpenObjectField({ description: 'Its `manifest.json`.', schema: { example: EXAMPLE_MANIFEST } })
  manifest!: Record<string, unknown>;

  @IntField({ description: 'Bytes of the zip.', min: 1, max: Number.MAX_SAFE_INTEGER })
  size!: number;

  @PatternField({
    description: 'SHA-256 of the zip, in hex.',
    pattern: /^[\da-f]{64}$/,
    message: 'must be 64 hex digits in lower case.',
    example: EXAMPLE.sha256,
  })
  sha256!: string;

  @PatternField({
    description:
      'SHA-256, in hex, of a line `name NUL sha256 LF` for each file in the zip, in the order of their names: finds the same content that was packed at another time.',
    pattern: /^[\da-f]{64}$/,
    message: 'must be 64 hex digits in lower case.',
    optional: true,
    example: '1c8e5f0b2a7d4936c1e8f5a20b7d4e936f1a8c5d2e07b4f9a3c6d1e8b5f2a704',
  })
  contentSha256?: string;

  @BooleanField({
    description: 'Whether the push will have release notes; only then is it warned of stores that require some.',
    optional: true,
  })
  hasNotes?: boolean;

  @TextField({
    description: 'Its release notes for all languages.',
    max: MAX_NOTES,
    optional: true,
    example: 'Counts tabs of all windows.',
  })
  notes?: string;

  @LocalizedNotes({ optional: true })
  localizedNotes?: Record<string, string>;
}

/** A problem to expect with a version. */
class PackageWarning implements Warning {
  @ApiProperty({
    enum: WARNING_KINDS,
    description:
      'refused, warning, note: what a store does not accept, as the severity of a finding; wider_access: browsers disable the extension, or hold the update back, until the user accepts; no_target: no enabled target will receive the version; no_notes: a store requires release notes; notes: a store cuts or leaves out some of them.',
  })
  kind!: Warning['kind'];

  @ApiProperty({ description: 'The warning, in a sentence.', example: 'No enabled target will receive this version.' })
  message!: string;
}

/** The outcome that a push of the package would have. */
export class PackageCheck {
  @ApiProperty({ description: 'The version, under the name that was pushed first.', example: '1.4.0' })
  version!: string;

  @ApiProperty({ description: 'Whether the same content was pushed before.' })
  deduplicated!: boolean;

  @ApiProperty({ type: [PackageWarning], description: 'Problems to expect with this version.' })
  warnings!: readonly Warning[];

  @ApiProperty({
    type: [PushedFinding],
    description: 'What the stores to which it goes do not accept in the package, as far as its manifest tells.',
  })
  findings!: readonly PushedFinding[];

  @ApiProperty({
    type: [FindingDecision],
    description: 'Findings that do not hold this version, also such that only the whole package can have.',
  })
  decisions!: readonly FindingDecision[];

  @ApiProperty({
    type: [String],
    description:
      'What browsers ask a new user to accept: permissions, in the words of Chrome, and sites. Permissions without a question, such as storage, are left out.',
    example: ['Read your browsing history', 'Access to "https://example.com/*"'],
  })
  access!: readonly string[];
}

/** Content of a package's manifest. */
class ArtifactManifest {
  @ApiProperty({ description: 'Its `name`.', example: 'Tab Counter' })
  name!: string;

  @ApiProperty({ type: 'integer', enum: [2, 3], description: 'Its `manifest_version`.' })
  manifestVersion!: number;

  @ApiProperty({ type: [String], description: 'Its `permissions`.', example: ['storage'] })
  permissions!: readonly string[];

  @ApiProperty({ type: [String], description: 'Its `host_permissions`.', example: ['https://example.com/*'] })
  hostPermissions!: readonly string[];

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "Firefox's id of the add-on, if the manifest has one.",
    example: 'tab-counter@pierhead.example',
  })
  geckoId!: string | null;
}

/** A version as it was pushed. */
export class Artifact {
  @ApiProperty({ format: 'uuid', description: 'Id of the artifact.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ description: 'The version as it was pushed.', example: '1.4.0' })
  version!: string;

  @ApiProperty({
    description: "The version as stores show it: the manifest's, where the one that was pushed is its `version_name`.",
    example: '1.4.0',
  })
  storeVersion!: string;

  @ApiProperty({
    enum: [...STORE_IDS, null],
    type: String,
    nullable: true,
    description: 'The one store it is for; null for every target.',
  })
  store!: StoreId | null;

  @ApiProperty({
    ...NULLABLE_ID,
    description: 'The one target it is for; null for all of its store, or of every store.',
  })
  targetId!: string | null;

  @ApiProperty({
    enum: [...PACKAGE_FORMATS, null],
    type: String,
    nullable: true,
    description:
      'crx: a zip that its author signed for the Chrome Web Store; pkg or ipa: an app for macOS or iOS, for the App Store; null when no package is needed.',
  })
  format!: PackageFormat | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The platform of an app: macos or ios; null for anything else.',
    example: 'macos',
  })
  platform!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The build number of an app (CFBundleVersion); null for anything else.',
    example: '27',
  })
  buildNumber!: string | null;

  @ApiProperty({ ...NULLABLE_SHA256, description: 'SHA-256 of the package, in hex; null when no package is needed.' })
  sha256!: string | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Size of the package in bytes; null when no package is needed.' })
  size!: number | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'SHA-256 of the archive with the source code, in hex; null when there is none.',
  })
  sourceSha256!: string | null;

  @ApiProperty({
    type: Date,
    nullable: true,
    description:
      'Until when stores that review source code wait for the announced archive; then the target needs a person. Null when none is announced.',
  })
  sourceDueAt!: Date | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Release notes, as they were pushed; null when none were.',
    example: 'Counts tabs per window.',
  })
  notes!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXTS,
    description: 'Release notes by locale, as they were pushed; null when none were.',
    example: { de: 'Zählt Tabs je Fenster.' },
  })
  localizedNotes!: Readonly<Record<string, string>> | null;

  @ApiProperty({
    type: Justifications,
    nullable: true,
    description: 'Why the extension asks for what it asks for, as it was pushed; null when nothing was.',
  })
  justifications!: Justifications | null;

  @ApiProperty({
    type: [PrivacyFormField],
    description:
      "The fields of the privacy pages of Chrome and Edge, with the text for each; empty without justifications. No store has an API for them, so a person copies them into the store's dashboard.",
  })
  privacyFields!: readonly PrivacyFormField[];

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "Notes for the stores' reviewers, as they were pushed; null when none were.",
    example: 'Log in as demo.',
  })
  reviewerNotes!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Who pushed this content: an e-mail address, or the name of a token or a CI job; null when not known.',
    example: 'ann@author.example',
  })
  pushedBy!: string | null;

  @ApiProperty({
    type: CiOriginView,
    nullable: true,
    description: 'Where the CI job came from that pushed this content; null where none did.',
  })
  pushedFrom!: CiOriginView | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The commit that the push names; null for none.',
    example: '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
  })
  commit!: string | null;

  @ApiProperty({ description: 'When it was last pinned: each target is driven to the newest pin.' })
  pinnedAt!: Date;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The older version that this one publishes again under a new number; null for any other.',
  })
  rollbackOf!: string | null;

  @ApiProperty({
    type: ArtifactManifest,
    nullable: true,
    description: "The contents of the package's manifest; null when no package is needed.",
  })
  manifest!: ArtifactManifest | null;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

/** An artifact with its new sources. */
export class SourcedArtifact extends Artifact {
  @ApiProperty({
    required: false,
    description: 'Which store does not receive this source code, and why; absent when each does.',
    example:
      'Firefox already has version 1.4.0, so the sources are not sent there; push a newer version with its sources.',
  })
  warning?: string;
}

/** Members of every answer to a push. */
class PushOutcome {
  @ApiProperty({ type: Artifact, description: 'The artifact that has the content.' })
  artifact!: Artifact;

  @ApiProperty({ type: [PushedFinding], description: 'What the stores to which it goes do not accept in the package.' })
  findings!: readonly PushedFinding[];

  @ApiProperty({
    required: false,
    description: 'Problems to expect with this version, in one or two sentences.',
    example: 'The browser disables the extension until users accept a new permission: tabs.',
  })
  warning?: string;
}

/** The same content was pushed before: no other content is stored. */
export class DeduplicatedPush extends PushOutcome {
  @ApiProperty({ enum: [true], description: 'The same content was pushed before.' })
  deduplicated!: true;
}

/** The package is stored and pinned. */
export class UploadedPush extends PushOutcome {
  @ApiProperty({ enum: [false], description: 'The content is new.' })
  deduplicated!: false;
}

/** The name of this list is part of the public contract. */
export class ArtifactList {
  @ApiProperty({ type: [Artifact], maxItems: 50, description: 'The artifacts, newest first.' })
  artifacts!: readonly Artifact[];
}
