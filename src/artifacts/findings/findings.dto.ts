import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_TEXT, NULLABLE_TIME } from '../../common/fields/index.js';
import { SEVERITIES, STORE_IDS, type Severity, type StoreId } from '../../stores/index.js';

/** A finding in a package that was pushed, and its outcome. */
export class PushedFinding {
  @ApiProperty({
    description: 'Id of the rule and the place in the package: the same in each package.',
    example: 'edge-has_key-1f0a77c2',
  })
  id!: string;

  @ApiProperty({ enum: STORE_IDS, description: 'The store.', example: 'edge' })
  store!: StoreId;

  @ApiProperty({ description: 'The rule; docs/preflight.md lists them.', example: 'has_key' })
  code!: string;

  @ApiProperty({
    enum: SEVERITIES,
    description:
      'refused: the store refuses such a package every time; warning: likely, or it costs users; note: good to know.',
  })
  severity!: Severity;

  @ApiProperty({
    description: 'What is wrong, and what to change.',
    example: 'The manifest has the key "key". Remove it.',
  })
  message!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The file; null for the package as a whole.',
    example: 'manifest.json',
  })
  file!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The place in the file; null for all of it.', example: 'key' })
  path!: string | null;

  @ApiProperty({
    description: 'A page that shows it.',
    format: 'uri',
    example: 'https://github.com/iorate/ublacklist/pull/843',
  })
  source!: string;

  @ApiProperty({
    description:
      'A target of its store does not send the version because of it, unless the target has `preflight` off.',
  })
  holds!: boolean;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When somebody decided to send the version all the same.' })
  overriddenAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Who decided.', example: 'ann@author.example' })
  overriddenBy!: string | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When the store took a version that had it; it holds no version of the extension from then on.',
  })
  acceptedAt!: Date | null;
}

/** A decision about a finding that counts for a version. */
export class FindingDecision {
  @ApiProperty({ description: 'Id of the finding.', example: 'edge-has_key-1f0a77c2' })
  findingId!: string;

  @ApiProperty({ description: 'When somebody decided to send a version all the same.' })
  overriddenAt!: Date;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Who decided.', example: 'ann@author.example' })
  overriddenBy!: string | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the store took a version that had it.' })
  acceptedAt!: Date | null;
}

/** The findings of a version. */
export class FindingList {
  @ApiProperty({ type: [PushedFinding], description: 'By store, the gravest rules first.' })
  items!: readonly PushedFinding[];
}
