import { ApiProperty } from '@nestjs/swagger';
import { ComparedVersion } from '../../artifacts/index.js';
import { NULLABLE_TEXT } from '../../common/fields/index.js';
import { WAYS_ON, type WayOn } from './ways-on.js';

/** An example of what a store says. */
export const EXAMPLE_REASON = 'Violation reference: Purple Potassium. The permission "tabs" is not used.';

/** A person's note about a rejection. */
export class RejectionReason {
  @ApiProperty({ description: "What the store's mail or dashboard says.", example: EXAMPLE_REASON })
  text!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Who recorded it last.', example: 'ann@author.example' })
  recordedBy!: string | null;

  @ApiProperty({ description: 'When.' })
  recordedAt!: Date;
}

/** The rejection of a version, and the ways on. */
export class Rejection {
  @ApiProperty({
    type: RejectionReason,
    nullable: true,
    description: 'What a person recorded about it; null until somebody does.',
  })
  reason!: RejectionReason | null;

  @ApiProperty({
    type: ComparedVersion,
    nullable: true,
    description:
      'The version that is live at the target, to compare with and to pin again; null where none is whose package was pushed.',
  })
  live!: ComparedVersion | null;

  @ApiProperty({
    description: 'The store refused the package and keeps none, so a mended one may have the same number.',
  })
  numberFree!: boolean;

  @ApiProperty({
    enum: WAYS_ON,
    isArray: true,
    description:
      'push: a mended package, under a newer number unless this one is free; resubmit: this one, unchanged; take_back: pin the live one again. Empty once another version is pinned.',
  })
  waysOn!: readonly WayOn[];
}
