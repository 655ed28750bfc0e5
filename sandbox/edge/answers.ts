import { type Answer, jsonAnswer, Refusal } from '../answer.js';
import type { Operation, Product, ProductBehavior } from './product.js';

/** Messages for statuses whose body the API does not document. */
const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'Unauthorized. The client id or the API key is not valid, or the key has expired.',
  404: 'The product or the operation was not found.',
  408: 'The upload timed out.',
  410: 'This way of authentication is no longer supported. Use an API key.',
  409: 'A submission of the product is in progress.',
  429: 'Too many requests.',
  500: 'An unexpected error occurred.',
};

/** An error body: `{ message }`, and an id where the store itself is at fault (src/stores/README.md#edge-errors). */
export function edgeError(status: number, message = MESSAGES[status] ?? 'An error occurred.'): Answer {
  return jsonAnswer(status, { ...(status >= 500 && { id: '0HMSANDBOX:00000001' }), message });
}

/** The error as an exception. */
export function edgeRefusal(status: number, message?: string): Refusal {
  const answer = edgeError(status, message);
  return new Refusal(answer, answer.body);
}

/** 202 with the operation's bare id and nothing else (src/stores/README.md#edge-operations, src/stores/README.md#edge-errors). */
export function acceptedAnswer(operationId: string): Answer {
  return { status: 202, headers: { Location: operationId }, body: '' };
}

/** `Operation` (src/stores/README.md#edge-operations). */
export function operationAnswer(operation: Operation, { inProgressIs202 }: ProductBehavior): Answer {
  const { id, status, message, errorCode, errors, createdAt, updatedAt } = operation;
  const list = errors === null ? null : errors.map((one) => ({ message: one }));
  return jsonAnswer(inProgressIs202 && status === 'InProgress' ? 202 : 200, {
    id,
    createdTime: createdAt,
    lastUpdatedTime: updatedAt,
    status,
    message,
    errorCode,
    errors: list,
  });
}

/** The public page's details of a listing; 404 while there is none to see (src/stores/README.md#edge-public-page). */
export function detailsAnswer(product: Product | undefined): Answer {
  if (product?.live == null || !product.isPublic) return jsonAnswer(404, { message: 'The product was not found.' });
  const { crxId, live } = product;
  return jsonAnswer(200, {
    crxId,
    name: 'Sandbox extension',
    version: live.version,
    developer: 'Sandbox',
    isInstalled: false,
  });
}
