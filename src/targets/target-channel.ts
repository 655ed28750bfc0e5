/** Returns a target's channel as stores and the API name it; null where the store has no channels, for which the column is empty. */
export const channelOrNull = (channel: string): string | null => (channel === '' ? null : channel);
