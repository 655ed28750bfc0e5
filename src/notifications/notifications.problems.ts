import { defineProblem } from '../common/problems/index.js';

export const EndpointNotFound = defineProblem(
  { code: 'endpoint_not_found', status: 404, title: 'Notification endpoint not found' },
  () => 'This tenant has no notification endpoint with that id.',
);

export const DeliveryNotFound = defineProblem(
  { code: 'delivery_not_found', status: 404, title: 'Delivery not found' },
  () => 'This tenant has no delivery with that id.',
);

export const EndpointDisabled = defineProblem(
  { code: 'endpoint_disabled', status: 409, title: 'Notification endpoint is switched off' },
  () => 'The endpoint is switched off; enable it first.',
);

export const EndpointHasNoSecret = defineProblem(
  { code: 'endpoint_has_no_secret', status: 409, title: 'Notification endpoint has no secret' },
  () => 'Only webhooks are signed; an endpoint of kind mail has no secret to rotate.',
);

export const EndpointLimitReached = defineProblem(
  { code: 'endpoint_limit_reached', status: 403, title: 'Too many notification endpoints' },
  (limit: number) => ({ detail: `A tenant may have ${limit} notification endpoints.`, members: { limit } }),
);
