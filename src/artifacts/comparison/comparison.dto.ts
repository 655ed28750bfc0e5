import { ApiProperty } from '@nestjs/swagger';
import { IdField, NULLABLE_INTEGER, NULLABLE_TEXT } from '../../common/fields/index.js';
import { MAX_CHANGES, type PackageDifferences } from './compare-packages.js';

/** The versions to compare. */
export class ChangesQuery {
  @IdField({
    description:
      'Id of the artifact to compare with, of the same extension. Default: the highest version below this one that is live, or else that was pushed.',
    optional: true,
  })
  since?: string;

  @IdField({ description: 'Without `since`: the version that is live at this target.', optional: true })
  target?: string;
}

/** A version, by its artifact. */
export class ComparedVersion {
  @ApiProperty({ format: 'uuid', description: 'Id of the artifact.' })
  artifactId!: string;

  @ApiProperty({ description: 'The version.', example: '1.3.0' })
  version!: string;
}

/** Entries that came and went. */
class AccessChanges {
  @ApiProperty({ type: [String], maxItems: MAX_CHANGES, description: 'New entries.', example: ['tabs'] })
  added!: readonly string[];

  @ApiProperty({ type: [String], maxItems: MAX_CHANGES, description: 'Entries that are gone.', example: [] })
  removed!: readonly string[];
}

/** A key of the manifest with another value. */
class ManifestChange {
  @ApiProperty({ description: 'Its path.', example: 'background.service_worker' })
  key!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The value before, as JSON, cut; null for none.', example: '"a.js"' })
  before!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The value now, as JSON, cut; null for none.', example: '"b.js"' })
  after!: string | null;
}

/** The keys of the manifest that have other values. */
class ManifestChanges {
  @ApiProperty({ type: 'integer', description: 'Number of keys.', example: 1 })
  changed!: number;

  @ApiProperty({ type: [ManifestChange], maxItems: MAX_CHANGES, description: 'The first of them.' })
  items!: readonly ManifestChange[];
}

/** A file that was added, removed or changed. */
class FileChange {
  @ApiProperty({ description: 'Its path in the package.', example: 'background.js' })
  path!: string;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Its size before, in bytes, unpacked; null for a new file.' })
  before!: number | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Its size now, in bytes, unpacked; null for a file that is gone.' })
  after!: number | null;
}

/** The files that differ. */
class FileChanges {
  @ApiProperty({ type: 'integer', description: 'Number of new files.', example: 0 })
  added!: number;

  @ApiProperty({ type: 'integer', description: 'Number of files that are gone.', example: 0 })
  removed!: number;

  @ApiProperty({ type: 'integer', description: 'Number of files with other content.', example: 1 })
  changed!: number;

  @ApiProperty({ type: [FileChange], maxItems: MAX_CHANGES, description: 'The first of them, by path.' })
  items!: readonly FileChange[];
}

/** Differences between two packages. */
class PackageChanges implements PackageDifferences {
  @ApiProperty({ type: AccessChanges, description: 'Permissions.' })
  permissions!: AccessChanges;

  @ApiProperty({ type: AccessChanges, description: 'Match patterns of sites, those of content scripts included.' })
  hosts!: AccessChanges;

  @ApiProperty({ type: AccessChanges, description: 'Permissions and sites that are asked for while it runs.' })
  optional!: AccessChanges;

  @ApiProperty({
    type: [String],
    description: 'What users have to accept at the update: permissions, in the words of Chrome, and sites.',
    example: ['Read your browsing history', 'Access to "https://example.com/*"'],
  })
  warnings!: readonly string[];

  @ApiProperty({ type: ManifestChanges, description: 'Other keys of the manifest.' })
  manifest!: ManifestChanges;

  @ApiProperty({ type: FileChanges, description: 'Files, compared by size and checksum.' })
  files!: FileChanges;
}

/** Changes from one version to another. */
export class ArtifactChanges extends ComparedVersion {
  @ApiProperty({
    type: ComparedVersion,
    nullable: true,
    description:
      'The version that it is compared with; null where no package of a lower one was pushed, or with `target` where none is live there.',
  })
  since!: ComparedVersion | null;

  @ApiProperty({
    type: PackageChanges,
    nullable: true,
    description: 'What changed; null where there is nothing to compare with, or one of both has no package.',
  })
  changes!: PackageChanges | null;
}
