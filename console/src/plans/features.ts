/** Names of features as a person types them, and as they are shown in a field. */
export const featuresIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');
export const shownFeatures = (features: readonly string[]): string => features.join(', ');

/** The seller's own data, one `name: value` on each line. A line without a colon is a name without a value, which the service refuses. */
export const metadataIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim()];
      }),
  );
export const shownMetadata = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
