import { defineProblem } from '../../common/problems/index.js';

export const ClientPackageNotFound = defineProblem({
  code: 'client_package_not_found',
  status: 404,
  title: 'Client not found',
  cause: 'This service has no client with this name and version: it keeps the last ten versions of each.',
  remedy: 'Use an address that GET /clients/ lists.',
});
