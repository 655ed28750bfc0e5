import { PatternsField, TextMapField } from '../../common/fields/index.js';

/** Entitlements of a plan, or of a license besides its plan's. */
const MAX_ENTITLEMENTS = 32;
const ENTITLEMENT = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** Members of the seller's own data, and the characters of a value. */
const [MAX_MEMBERS, MAX_VALUE] = [16, 500];

const EXAMPLE = { campaign: 'spring' };

/** The seller's own data, as answers show it. */
export const METADATA = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Your own data.',
  example: EXAMPLE,
} as const;

/** A list of features by the names that the extension asks for. */
export const EntitlementsField = (description: string): PropertyDecorator =>
  PatternsField({
    description: `${description} Up to ${MAX_ENTITLEMENTS}.`,
    maxEntries: MAX_ENTITLEMENTS,
    pattern: ENTITLEMENT,
    message: 'must hold only names of 1 to 32 lower-case letters, digits, dots, dashes and underscores, such as sync.',
    optional: true,
    example: ['sync', 'export'],
  });

/** Data of the seller's own, which the service keeps and shows to nobody else. */
export const MetadataField = (): PropertyDecorator =>
  TextMapField({
    description: `Your own data, of up to ${MAX_MEMBERS} members, which replaces what was there. It is shown to you alone, never to devices or buyers.`,
    names: /^[\w.-]{1,40}$/,
    what: 'members by 1 to 40 letters, digits, dots, dashes and underscores',
    maxEntries: MAX_MEMBERS,
    max: MAX_VALUE,
    optional: true,
    example: EXAMPLE,
  });
