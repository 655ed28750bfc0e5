import type { Notification } from '../support/purchases.js';

/** The same events of a checkout whose metadata names a license to upgrade. */
export const naming = (events: readonly Notification[], licenseId: string): readonly Notification[] =>
  events.map(
    (event) =>
      JSON.parse(
        JSON.stringify(event, (name, value: unknown) =>
          name === 'metadata' || name === 'custom_data' ? { ...(value as object | null), licenseId } : value,
        ),
      ) as Notification,
  );
