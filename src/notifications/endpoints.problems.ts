import { defineProblem } from '../common/problems/index.js';

export const EndpointNotFound = defineProblem({
  code: 'endpoint_not_found',
  status: 404,
  title: 'Notification endpoint not found',
  cause: 'The tenant has no notification endpoint with this id.',
  remedy: 'List the endpoints with GET /notifications/endpoints.',
});

export const EndpointDisabled = defineProblem(
  {
    code: 'endpoint_disabled',
    status: 409,
    title: 'Notification endpoint is disabled',
    cause: 'The notification endpoint is disabled.',
    remedy: 'Enable it with PATCH, then try again.',
  },
  () => 'The endpoint is disabled. Enable it first.',
);

export const EndpointUnconfirmed = defineProblem(
  {
    code: 'endpoint_unconfirmed',
    status: 409,
    title: 'E-mail address is not confirmed',
    cause: 'The owner of the e-mail address has not confirmed it.',
    remedy: 'Open the link in the confirmation mail. To send another one, PATCH the endpoint with the same address.',
  },
  () =>
    'The owner of the address must first open the link in the confirmation mail. To send another one, PATCH the endpoint with the same address.',
);

export const EndpointHasNoSecret = defineProblem(
  {
    code: 'endpoint_has_no_secret',
    status: 409,
    title: 'Notification endpoint has no secret',
    cause: 'The endpoint is an e-mail address; only webhooks are signed.',
    remedy: 'Rotate the secret of a webhook instead.',
  },
  () => 'Only webhooks are signed. An endpoint of kind mail has no secret to rotate.',
);

export const EndpointLimitReached = defineProblem(
  {
    code: 'endpoint_limit_reached',
    status: 403,
    title: 'Too many notification endpoints',
    cause: 'The tenant has reached its limit of notification endpoints.',
    remedy: 'Delete an endpoint first.',
  },
  (limit: number) => ({ detail: `A tenant can have at most ${limit} notification endpoints.`, members: { limit } }),
);
