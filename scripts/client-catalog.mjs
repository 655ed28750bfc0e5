// Writes what clients know of the service without asking it, from its own answers.

/** Capabilities that decide which stores a command is for. */
const CAPABILITIES = ['requiresArtifact', 'percentRollout', 'rollback'];

/** The source of clients/cli/src/api/catalog.ts. */
export function catalogOf({ document, stores, processors }) {
  const { AccessToken, AnalyticsReport, License, NotificationEndpoint, Shares } = document.components.schemas;
  const constants = {
    STORES: stores.map(({ id, name, title, aliases, capabilities }) => ({
      id,
      name,
      title,
      aliases,
      channels: capabilities.channels,
      capabilities: Object.fromEntries(CAPABILITIES.map((capability) => [capability, capabilities[capability]])),
    })),
    PROCESSORS: processors.map(({ processor, title, purchaseIds }) => ({ id: processor, title, purchaseIds })),
    SCOPES: AccessToken.properties.scopes.items.enum,
    LICENSE_STATUSES: License.properties.status.enum,
    NOTIFICATION_KINDS: NotificationEndpoint.properties.events.items.enum,
    DIMENSIONS: Object.keys(Shares.properties),
    GRANULARITIES: AnalyticsReport.properties.granularity.enum,
  };
  return [
    '// Written by npm run docs:openapi from GET /stores, GET /webhooks/processors and openapi.json.\n',
    ...Object.entries(constants).map(
      ([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`,
    ),
  ].join('\n');
}
