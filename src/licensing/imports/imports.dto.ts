import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  EXAMPLE,
  IdField,
  NULLABLE_TEXT,
  PageQuery,
  TextMapField,
} from '../../common/fields/index.js';
import { IMPORT_COLUMNS } from '../bulk/index.js';
import { IMPORT_STATES, type ImportState } from './license-import.entity.js';
import { MAX_SAID } from './reading/fold.js';
import { IMPORT_WORDS, PROFILE_NAMES, type Field, type ImportWord, type ProfileName } from './reading/profile.js';

const NAME = new RegExp(`^[^\\0]{1,${MAX_SAID}}$`, 'su');

const PROFILE_ABOUT = 'The tool whose export it is. Absent, it is recognized by the columns.';

/** What an import is for. */
export class UploadImport {
  @IdField({ description: 'The extension that the licenses are for.' })
  extension!: string;

  @ChoiceField({ description: PROFILE_ABOUT, of: PROFILE_NAMES, optional: true })
  profile?: ProfileName;
}

/** Filter of a list of imports. */
export class ListImports extends PageQuery {
  @IdField({ description: 'Only imports for this extension.', optional: true })
  extension?: string;
}

/** How a file is read. What is absent stays as it is. */
export class PreviewImport {
  @ChoiceField({
    description: `${PROFILE_ABOUT} Another one proposes the columns anew.`,
    of: PROFILE_NAMES,
    optional: true,
  })
  profile?: ProfileName;

  @TextMapField({
    description: `What columns hold, by their names in the file: ${IMPORT_COLUMNS.join(', ')}, or \`ignore\`. A field that is named is read from these columns alone, any other as before. Of several columns of a field the first filled cell counts; those of the tier are joined with \` / \`.`,
    names: NAME,
    what: 'columns',
    maxEntries: 100,
    max: 20,
    optional: true,
  })
  columns?: Record<string, string>;

  @TextMapField({
    description:
      'The tier of each product, as `products` names them; `*` is every other one, and the tier `-` leaves its lines out.',
    names: NAME,
    what: 'products',
    maxEntries: 500,
    max: 32,
    optional: true,
  })
  tiers?: Record<string, string>;

  @TextMapField({
    description: `What statuses come to: ${IMPORT_WORDS.join(', ')}. \`expired\` is a license whose end has passed, \`skip\` leaves the lines out.`,
    names: NAME,
    what: 'statuses',
    maxEntries: 100,
    max: 20,
    optional: true,
  })
  statuses?: Record<string, string>;
}

/** The start of an import. */
export class StartImport {
  @BooleanField({ description: 'Imports the other lines although some have faults.', optional: true })
  skipFaults?: boolean;
}

/** A column of a file. */
export class ImportColumn {
  @ApiProperty({ description: 'Its name in the file.', maxLength: MAX_SAID, example: 'Purchase Email' })
  name!: string;

  @ApiProperty({ enum: IMPORT_COLUMNS, nullable: true, description: 'What it holds; null when it is not read.' })
  field!: Field | null;
}

/** What lines of a file are for. */
export class ImportProduct {
  @ApiProperty({ description: 'What the columns of the tier say.', example: 'Tab Counter / (Pro)' })
  value!: string;

  @ApiProperty({ type: 'integer', description: 'Number of lines.' })
  lines!: number;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Its tier; `-` when its lines are left out; null when nobody said it, which is a fault of its lines.',
  })
  tier!: string | null;
}

/** A status that lines of a file have. */
export class ImportStatus {
  @ApiProperty({ description: 'What the column of the status says.', example: 'Disabled' })
  value!: string;

  @ApiProperty({ type: 'integer', description: 'Number of lines.' })
  lines!: number;

  @ApiProperty({
    enum: IMPORT_WORDS,
    nullable: true,
    description: 'What it comes to; null when it is not known, which is a fault of its lines.',
  })
  status!: ImportWord | null;
}

/** A line that cannot be imported. */
export class ImportFault {
  @ApiProperty({ type: 'integer', description: 'Number of the line in the file; the first one is 1.' })
  line!: number;

  @ApiProperty({ description: 'What is wrong with it.', example: 'tier: no tier is said for "E-book".' })
  message!: string;
}

/** An import of a file of licenses, as it is listed. */
export class ListedImport {
  @ApiProperty({ format: 'uuid', description: 'The import’s id.', example: EXAMPLE.id })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The extension that the licenses are for.' })
  extensionId!: string;

  @ApiProperty({
    enum: IMPORT_STATES,
    description:
      '`unread`: `missing` names fields whose column nobody said. `checking`: the file is read, and nothing is made. `ready`: the counts say what a start would do. `running`: licenses are made. `done`, `canceled`, `failed`: it has ended.',
  })
  state!: ImportState;

  @ApiProperty({
    enum: PROFILE_NAMES,
    nullable: true,
    description: 'The tool whose export it is; null for another one.',
  })
  profile!: ProfileName | null;

  @ApiProperty({ type: 'integer', description: 'Number of lines, without the one of the columns.' })
  lines!: number;

  @ApiProperty({ type: 'integer', description: 'Lines that were checked, or imported once it runs.' })
  done!: number;

  @ApiProperty({ type: 'integer', description: 'Lines that made a license, or would.' })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Lines whose license exists.' })
  existing!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Lines that are left out: totals, unpaid orders, products without a tier.',
  })
  skipped!: number;

  @ApiProperty({ type: 'integer', description: 'Lines that cannot be imported.' })
  faults!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Codes that were made for lines without one; `GET …/codes` returns them until the import is deleted.',
  })
  codes!: number;

  @ApiProperty({
    description: 'SHA-256 of the file, in hex, by which a client finds the import of a file.',
    example: EXAMPLE.sha256,
  })
  sha256!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Who sent the file.' })
  requestedBy!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was sent.' })
  createdAt!: Date;

  @ApiProperty({ format: 'date-time', description: 'When it last changed.' })
  updatedAt!: Date;

  @ApiProperty({
    format: 'date-time',
    description: 'When it is deleted, with its file and its codes: seven days after its last step.',
  })
  expiresAt!: Date;
}

/** An import of a file of licenses, with how the file is read. */
export class FileImport extends ListedImport {
  @ApiProperty({ type: [ImportColumn], description: 'The columns of the file, in its order.' })
  columns!: ImportColumn[];

  @ApiProperty({
    enum: IMPORT_COLUMNS,
    isArray: true,
    description: 'Fields that a file must have and that no column holds.',
  })
  missing!: Field[];

  @ApiProperty({
    type: [ImportProduct],
    description: 'What the lines are for, once it was checked: the 200 first, by number of lines.',
  })
  products!: ImportProduct[];

  @ApiProperty({ type: [ImportStatus], description: 'The statuses of the lines, once it was checked.' })
  statuses!: ImportStatus[];

  @ApiProperty({
    type: [String],
    description: 'What to know of such a file.',
    example: ['Polar’s orders have no license keys: buyers get new codes.'],
  })
  notes!: string[];

  @ApiProperty({ type: [ImportFault], description: 'The first 20 of them.' })
  firstFaults!: ImportFault[];
}
