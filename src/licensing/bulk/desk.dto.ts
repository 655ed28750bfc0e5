import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  IdsField,
  IntField,
  IntQuery,
  NULLABLE_EMAIL,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  ObjectField,
  TextField,
  TimeField,
} from '../../common/fields/index.js';
import { MAX_PASTED_CODE } from '../codes/index.js';
import { LICENSE_STATUSES, LicenseSelection, type LicenseStatus } from '../licenses/index.js';
import { EntitlementsField, MAX_LICENSE_SEATS, MetadataField } from '../plans/index.js';
import { BULK_ACTIONS, BULK_OUTCOMES, type BulkAction, type BulkOutcome } from './bulk-rule.js';

/** Maximum number of licenses that a bulk change may match, and the number that one request changes. */
export const MAX_MATCHED = 10_000;
export const BULK_PAGE = 100;

const namesIn = (cell: unknown): unknown => (typeof cell === 'string' ? cell.split(/[\s,;]+/).filter(Boolean) : cell);

const IMPORTED_STATUSES = ['active', 'suspended', 'revoked'] as const;

/** A line of an import. */
export class ImportLine {
  @EmailField({ description: 'The e-mail address of the buyer.' })
  email!: string;

  @TextField({ description: 'The tier of the plan.', max: 32 })
  tier!: string;

  @TextField({ description: 'The code that the buyer has.', max: MAX_PASTED_CODE, optional: true })
  code?: string;

  @TextField({ description: 'The id of the order at the other tool.', max: 200, optional: true })
  order?: string;

  @ChoiceField({
    description: 'The status at the other tool; absent means `active`.',
    of: IMPORTED_STATUSES,
    optional: true,
  })
  status?: (typeof IMPORTED_STATUSES)[number];

  @TimeField({ description: 'When it expires; absent means never.', optional: true })
  expiresAt?: string;

  @IntQuery({ description: 'Maximum number of devices.', min: 1, max: MAX_LICENSE_SEATS, optional: true })
  maxActivations?: number;

  @Transform(({ value }: { value: unknown }) => namesIn(value))
  @EntitlementsField('Features that it unlocks besides its plan’s, separated by spaces.')
  entitlements?: string[];

  @MetadataField()
  metadata?: Record<string, string>;
}

/** A change of many licenses. */
export class BulkLicenses {
  @ChoiceField({
    description:
      '`extend` moves the expiry to `expiresAt`, `raise` the number of devices to `maxActivations`; neither lowers a license that already has more. The other actions work like the routes of the same name.',
    of: BULK_ACTIONS,
  })
  action!: BulkAction;

  @IdsField({ description: 'The licenses. Either these or `filter`.', maxEntries: BULK_PAGE, optional: true })
  ids?: string[];

  @ObjectField({
    description: `The licenses that match every condition, as in the list: at most ${MAX_MATCHED}.`,
    type: () => LicenseSelection,
    optional: true,
  })
  filter?: LicenseSelection;

  @TimeField({ description: 'For `extend`: when the licenses expire.', optional: true })
  expiresAt?: string;

  @IntField({ description: 'For `raise`: maximum number of devices.', min: 1, max: MAX_LICENSE_SEATS, optional: true })
  maxActivations?: number;

  @BooleanField({ description: 'Previews the change and changes nothing.', optional: true })
  dryRun?: boolean;

  @TextField({
    description: '`nextCursor` of the previous answer, to continue after its licenses.',
    max: 512,
    optional: true,
  })
  cursor?: string;
}

/** The parts of a license that a bulk change may change. */
class BulkLicenseState {
  @ApiProperty({ enum: LICENSE_STATUSES, description: 'The status.' })
  status!: LicenseStatus;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it expires; null means never.' })
  expiresAt!: Date | null;

  @ApiProperty({ type: 'integer', description: 'Maximum number of devices.' })
  maxActivations!: number;
}

/** The result of a bulk change for one license. */
export class BulkLicense {
  @ApiProperty({ format: 'uuid', description: 'The license’s id.' })
  id!: string;

  @ApiProperty({ description: 'The last five characters of the code.', example: '30JCN' })
  codeHint!: string;

  @ApiProperty({ ...NULLABLE_EMAIL, description: 'The buyer’s e-mail address; null while nobody owns the license.' })
  buyerEmail!: string | null;

  @ApiProperty({
    enum: BULK_OUTCOMES,
    description:
      '`unchanged`: the license already has the requested state. `refused`: the license is revoked, or another request changed it at the same time.',
  })
  outcome!: BulkOutcome;

  @ApiProperty({ type: BulkLicenseState, description: 'Before the change.' })
  before!: BulkLicenseState;

  @ApiProperty({ type: BulkLicenseState, description: 'After the change.' })
  after!: BulkLicenseState;
}

/** The outcome of a bulk change. */
export class BulkAnswer {
  @ApiProperty({ description: 'Whether this was a preview, which changes nothing.' })
  dryRun!: boolean;

  @ApiProperty({ type: 'integer', description: 'Number of licenses that match now.' })
  matched!: number;

  @ApiProperty({ type: [BulkLicense], description: `The result for each of the next ${BULK_PAGE} licenses.` })
  items!: BulkLicense[];

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Send it as `cursor` to continue; null after the last license. Starting over is also safe.',
  })
  nextCursor!: string | null;
}
