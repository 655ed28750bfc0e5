/** Documents about the service for tools: the OpenAPI document and its pages, the schema of `pierhead.json`, and the packed clients. */
export { DocumentsModule } from './documents.module.js';
export { describeApi, serveDocumentation } from './openapi.js';
