import { defineProblem } from '../common/problems/index.js';

export const EndpointNotFound = defineProblem(
  {
    code: 'endpoint_not_found',
    status: 404,
    title: 'Notification endpoint not found',
    cause: 'The id is not one of this tenant’s notification endpoints.',
    remedy: 'List them with GET /notifications/endpoints.',
  },
  () => 'This tenant has no notification endpoint with that id.',
);

export const DeliveryNotFound = defineProblem(
  {
    code: 'delivery_not_found',
    status: 404,
    title: 'Delivery not found',
    cause: 'The id is not one of this tenant’s deliveries.',
    remedy: 'List them with GET /notifications/deliveries.',
  },
  () => 'This tenant has no delivery with that id.',
);

export const EndpointDisabled = defineProblem(
  {
    code: 'endpoint_disabled',
    status: 409,
    title: 'Notification endpoint is switched off',
    cause: 'The notification endpoint is switched off.',
    remedy: 'Enable it with PATCH, then ask again.',
  },
  () => 'The endpoint is switched off; enable it first.',
);

export const EndpointUnconfirmed = defineProblem(
  {
    code: 'endpoint_unconfirmed',
    status: 409,
    title: 'Mail address is not confirmed',
    cause: 'The owner of the mailbox has not confirmed the address of the endpoint.',
    remedy: 'Open the link in the confirmation mail; PATCH the endpoint with the same address to send another one.',
  },
  () =>
    'The owner of the mailbox has to open the link in the confirmation mail first. To send another one, PATCH the endpoint with the same address.',
);

export const EndpointHasNoSecret = defineProblem(
  {
    code: 'endpoint_has_no_secret',
    status: 409,
    title: 'Notification endpoint has no secret',
    cause: 'The endpoint is a mail address; only webhooks are signed.',
    remedy: 'Nothing to do.',
  },
  () => 'Only webhooks are signed; an endpoint of kind mail has no secret to rotate.',
);

export const EndpointLimitReached = defineProblem(
  {
    code: 'endpoint_limit_reached',
    status: 403,
    title: 'Too many notification endpoints',
    cause: 'The tenant has as many notification endpoints as it may have.',
    remedy: 'Delete one first.',
  },
  (limit: number) => ({ detail: `A tenant may have ${limit} notification endpoints.`, members: { limit } }),
);
