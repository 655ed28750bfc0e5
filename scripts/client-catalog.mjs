// Writes what clients know of the service without asking it, from its own answers.

/** Capabilities that decide which stores a command is for. */
const CAPABILITIES = ['requiresArtifact', 'signedPackages', 'appPackages', 'percentRollout', 'rollback'];

/** The sources of files of clients/cli/src/api; processors apart, since only what sells needs them. */
export function catalogsOf({ document, stores, processors }) {
  const { AccessToken, AnalyticsReport, License, NotificationEndpoint, Shares } = document.components.schemas;
  const known = {
    STORES: stores.map(({ id, name, title, aliases, capabilities }) => ({
      id,
      name,
      title,
      aliases,
      channels: capabilities.channels,
      capabilities: Object.fromEntries(CAPABILITIES.map((capability) => [capability, capabilities[capability]])),
    })),
    SCOPES: AccessToken.properties.scopes.items.enum,
    LICENSE_STATUSES: License.properties.status.enum,
    NOTIFICATION_KINDS: NotificationEndpoint.properties.events.items.enum,
    DIMENSIONS: Object.keys(Shares.properties),
    GRANULARITIES: AnalyticsReport.properties.granularity.enum,
  };
  const PROCESSORS = processors.map(({ processor, title, purchaseIds }) => ({ id: processor, title, purchaseIds }));
  return {
    'catalog.ts': sourceOf('GET /stores and openapi.json', known),
    'processors.ts': sourceOf('GET /webhooks/processors', { PROCESSORS }),
  };
}

const sourceOf = (from, constants) =>
  [
    `// Written by npm run docs:openapi from ${from}.\n`,
    ...Object.entries(constants).map(
      ([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`,
    ),
  ].join('\n');
