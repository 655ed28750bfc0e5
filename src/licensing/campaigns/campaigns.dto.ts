import { ApiProperty } from '@nestjs/swagger';
import { IdField, PageQuery } from '../../common/fields/index.js';
import { CampaignField } from '../licenses/index.js';

/** Filter of a list of campaigns. */
export class ListCampaigns extends PageQuery {
  @IdField({ description: 'Lists only campaigns of this extension.', optional: true })
  extension?: string;

  @CampaignField({ description: 'Lists only the campaign with this name.', optional: true })
  campaign?: string;
}

/** The licenses of a campaign that have the same plan. */
export class Campaign {
  @ApiProperty({ description: 'The name that the seller gave it.', example: 'spring' })
  campaign!: string;

  @ApiProperty({ format: 'uuid', description: 'The extension.' })
  extensionId!: string;

  @ApiProperty({ format: 'uuid', description: 'The plan.' })
  planId!: string;

  @ApiProperty({ description: 'The tier of the plan.', example: 'pro' })
  tier!: string;

  @ApiProperty({ type: 'integer', description: 'Number of licenses.' })
  issued!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of them that somebody uses: a device has activated, or the gift link was used.',
  })
  used!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of them that are active, whether used or not: neither suspended, expired nor revoked.',
  })
  active!: number;

  @ApiProperty({ type: 'integer', description: 'Number of them that are revoked.' })
  revoked!: number;

  @ApiProperty({ description: 'When the first of them was issued.' })
  firstIssuedAt!: Date;

  @ApiProperty({ description: 'When the last of them was issued.' })
  lastIssuedAt!: Date;
}
