/** What tools read about the service: the OpenAPI document and its pages, the schema of `pierhead.json`, and the packed command line client. */
export { CLIENT_PACKAGE_PATH } from './client-package.controller.js';
export { DocumentsModule } from './documents.module.js';
export { describeApi, serveDocumentation } from './openapi.js';
export { PROJECT_SCHEMA_PATH } from './project-schema.controller.js';
