import { ApiProperty } from '@nestjs/swagger';
import { STORE_IDS, type StoreId } from '../../stores/index.js';
import { MAX_REFUSALS } from './package-refusals.repository.js';

/** Words in which a store refused packages that no rule had found fault with. */
export class PackageRefusal {
  @ApiProperty({ enum: STORE_IDS, description: 'The store.' })
  store!: StoreId;

  @ApiProperty({
    description: 'Its words, without names, ids, addresses and numbers.',
    example: 'The manifest must not contain "…".',
  })
  words!: string;

  @ApiProperty({ type: 'integer', description: 'Number of packages that it refused so.', example: 3 })
  count!: number;

  @ApiProperty({ description: 'When it last did.' })
  lastAt!: Date;
}

/** The refusals that no rule foresees. */
export class PackageRefusalList {
  @ApiProperty({ type: [PackageRefusal], maxItems: MAX_REFUSALS, description: 'The most frequent first.' })
  items!: readonly PackageRefusal[];
}
