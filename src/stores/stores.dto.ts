import { ApiProperty } from '@nestjs/swagger';
import { CredentialForms } from '../common/fields/index.js';
import { Capabilities } from './capabilities.dto.js';
import { STORE_IDS, type Store, type StoreId } from './store.js';
import type { GuideLink, GuideStep, ItemField } from './store-guide.js';

/** One thing that a person does to connect a store. */
class ConnectionStep implements GuideStep {
  @ApiProperty({ type: 'integer', description: 'Number of the step, from 1.', example: 3 })
  number!: number;

  @ApiProperty({
    description: 'What to do, in a sentence or two.',
    example: 'Create a service account in that project. It needs no role.',
  })
  text!: string;

  @ApiProperty({
    format: 'uri',
    description: 'The page where it is done.',
    example: 'https://console.cloud.google.com/iam-admin/serviceaccounts/create',
  })
  url!: string;
}

/** A page of the store. */
class StoreLink implements GuideLink {
  @ApiProperty({ description: 'What the page is.', example: 'Developer Dashboard' })
  title!: string;

  @ApiProperty({ format: 'uri', description: 'Its address.', example: 'https://chrome.google.com/webstore/devconsole' })
  url!: string;
}

/** One id of an item. */
class FieldOfItem implements Omit<ItemField, 'pattern'> {
  @ApiProperty({ enum: ['storeItemId', 'crxId'], description: 'Name of the field of a target.' })
  name!: ItemField['name'];

  @ApiProperty({ description: 'What the store calls it.', example: 'Item id' })
  title!: string;

  @ApiProperty({ description: 'Where to find it.', example: 'The 32 letters in the URL of the listing.' })
  how!: string;

  @ApiProperty({ description: 'Whether a target cannot publish without it.' })
  isRequired!: boolean;

  @ApiProperty({ description: 'Regular expression of ECMAScript that the id matches.', example: '^[a-p]{32}$' })
  pattern!: string;
}

/** Names of an item. */
class ItemOfStore {
  @ApiProperty({ type: [FieldOfItem], description: 'Its ids.' })
  fields!: readonly FieldOfItem[];

  @ApiProperty({
    type: [String],
    description:
      "Regular expressions of ECMAScript for URLs of the item's listing and dashboard. The named groups are the ids in the URL, percent-encoded as there, or fields of the credentials. `slug` is the name in a listing at addons.mozilla.org, to which the author must add the add-on's id.",
    example: ['^https:\\/\\/apps\\.apple\\.com\\/app\\/id(?<storeItemId>\\d{1,20})$'],
  })
  urls!: readonly string[];
}

/** A store that Pierhead publishes to. */
class StoreDescription {
  @ApiProperty({ enum: STORE_IDS, description: 'Id of the store.' })
  id!: StoreId;

  @ApiProperty({ description: 'Its name.', example: 'Chrome Web Store' })
  title!: string;

  @ApiProperty({ description: 'Its name where there is little room.', example: 'Chrome' })
  name!: string;

  @ApiProperty({ type: [String], description: 'What else people call it, in lower case.', example: ['cws'] })
  aliases!: readonly string[];

  @ApiProperty({ type: Capabilities, description: "What the store's API can do." })
  capabilities!: Capabilities;

  @ApiProperty({ type: CredentialForms, description: 'The credentials that it takes.' })
  credentials!: CredentialForms;

  @ApiProperty({ type: [ConnectionStep], description: 'What a person does there before the first push, in order.' })
  steps!: readonly ConnectionStep[];

  @ApiProperty({ type: [StoreLink], description: 'Pages of the store for authors.' })
  links!: readonly StoreLink[];

  @ApiProperty({ type: ItemOfStore, description: 'How its items are named.' })
  item!: ItemOfStore;
}

/** The stores. */
export class StoreList {
  @ApiProperty({ type: [StoreDescription], description: 'The stores.' })
  items!: readonly StoreDescription[];
}

/** Capabilities and connection guides of the stores, for people who choose one. */
export const toStoreList = (stores: readonly Store[]): StoreList => ({
  items: stores.map(
    ({ id, title, name, aliases, capabilities, credentialShape: { forms, lapsesAfterDays }, guide }) => ({
      id,
      title,
      name,
      aliases,
      capabilities,
      credentials: { forms, lapsesAfterDays },
      steps: guide.steps.map((step, at) => ({ number: at + 1, ...step })),
      links: guide.links,
      item: {
        fields: guide.item.fields.map(({ pattern, ...field }) => ({ ...field, pattern: pattern.source })),
        urls: guide.item.urls.map(({ source }) => source),
      },
    }),
  ),
});
