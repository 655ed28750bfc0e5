import { TextField } from '../../common/fields/index.js';

/** The name of a campaign, as the seller spells it. */
export const CampaignField = (options: Partial<Parameters<typeof TextField>[0]>): PropertyDecorator =>
  TextField({
    description:
      'Your name for the licenses that are issued for one occasion, by which they are found, counted and changed together.',
    max: 64,
    example: 'spring',
    ...options,
  });
