import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_ID, NULLABLE_TEXT, TextField } from '../../../common/fields/index.js';
import { STORE_IDS, type StoreId } from '../../../stores/index.js';

const MAX_TEXT = 320;

/** The text to search for. In the body, so that no code gets into a URL, and so into a proxy's log or a browser's history. */
export class Search {
  @TextField({
    description:
      "Part of an extension's name, a version, an item id of a store, a whole license code, or how its last five characters, a buyer's e-mail address or its domain, or the id of an order, payment or subscription begins.",
    max: MAX_TEXT,
    example: 'Tab Counter',
  })
  text!: string;
}

export const SEARCH_HIT_KINDS = ['extension', 'version', 'item', 'license', 'sale'] as const;
export type SearchHitKind = (typeof SEARCH_HIT_KINDS)[number];

/** Something that was found. */
export class SearchHit {
  @ApiProperty({
    enum: SEARCH_HIT_KINDS,
    description: 'What it is. `item`: a target with this store item. `sale`: a purchase that has no license.',
  })
  kind!: SearchHitKind;

  @ApiProperty({
    format: 'uuid',
    description: 'Its id; for an item, the id of the target; for a sale, the id of the purchase.',
  })
  id!: string;

  @ApiProperty({ ...NULLABLE_ID, description: 'Id of its extension; null where it has none.' })
  extensionId!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Name of its extension; null where it has none.',
    example: 'Tab Counter',
  })
  extensionName!: string | null;

  @ApiProperty({
    description: 'The name, the version, the item id, the end of the code, or the name of the processor.',
    example: '…30JCN',
  })
  title!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "For a license, the buyer's e-mail address; otherwise null.",
    example: 'ann@example.com',
  })
  detail!: string | null;

  @ApiProperty({
    type: String,
    enum: [...STORE_IDS, null],
    nullable: true,
    description: 'For an item, the store; otherwise null.',
  })
  store!: StoreId | null;
}

/** Results of a search. */
export class SearchResult {
  @ApiProperty({
    type: [SearchHit],
    description: 'At most ten of each kind, newest first; licenses only with licenses:read.',
  })
  items!: readonly SearchHit[];
}
