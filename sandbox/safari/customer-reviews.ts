import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.js';
import { type Check, fields, integer, nullable, oneOf, optional, required, text } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { page, type Shape } from './documents.js';
import { conflict, forbidden, notFound } from './errors.js';
import type { App, CustomerReview, CustomerReviewResponse } from './model.js';
import { attribute, readDocument, relationship } from './requests.js';
import type { SafariRouteBuilder } from './route-builder.js';

const TYPES = { review: 'customerReviews', response: 'customerReviewResponses' } as const;
const STATES = ['PENDING_PUBLISH', 'PUBLISHED'] as const;
/** The most characters of an answer (src/stores/README.md#safari-reviews). */
const MAX_RESPONSE = 5970;
const NO_CONTENT: Answer = { status: 204, headers: {}, body: '' };

const response: Check<CustomerReviewResponse> = (value, what) => {
  const from = fields(value, what, ['id', 'body', 'state', 'modifiedAt']);
  return {
    id: optional(from, 'id', text) ?? randomUUID(),
    body: required(from, 'body', text),
    state: optional(from, 'state', oneOf(STATES)) ?? 'PUBLISHED',
    modifiedAt: optional(from, 'modifiedAt', text) ?? '2026-01-01T00:00:00Z',
  };
};

/** A review as the control plane writes it. */
export const customerReview: Check<CustomerReview> = (value, what) => {
  const known = ['id', 'rating', 'title', 'body', 'nickname', 'createdDate', 'territory', 'response'];
  const from = fields(value, what, known);
  return {
    id: required(from, 'id', text),
    rating: required(from, 'rating', integer(1, 5)),
    title: optional(from, 'title', text) ?? '',
    body: optional(from, 'body', text) ?? '',
    nickname: optional(from, 'nickname', text) ?? 'Somebody',
    createdDate: required(from, 'createdDate', text),
    territory: optional(from, 'territory', text) ?? 'USA',
    response: optional(from, 'response', nullable(response)) ?? null,
  };
};

/** Apple shows the answers to users. */
export function publishResponses(app: App): void {
  for (const review of app.customerReviews)
    if (review.response !== null) review.response = { ...review.response, state: 'PUBLISHED' };
}

/** What users wrote about an app, and the developer's answers (src/stores/README.md#safari-reviews). */
export function customerReviewRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const find = (id: string): CustomerReview => {
    const found = builder.world.customerReview(id);
    if (!found) throw notFound(TYPES.review, id);
    return found.review;
  };
  return [
    builder.appRoute('customerReviews', 'GET', /^\/v1\/apps\/(?<id>[^/]+)\/customerReviews$/, 'apps', (call) => {
      const answered = call.url.searchParams.get('exists[publishedResponse]');
      const reviews = call.app.customerReviews.filter(
        (one) => answered === null || (one.response?.state === 'PUBLISHED') === (answered === 'true'),
      );
      return page(call, {
        ...builder.listing(reviews.map(reviewShape), call.app),
        lookUp: ({ id }) => {
          const review = call.app.customerReviews.find((one) => one.response?.id === id);
          return review && responseShape(review);
        },
        includes: ['response'],
        filters: { rating: ({ attributes }) => attributes.rating, territory: ({ attributes }) => attributes.territory },
        sorts: {
          createdDate: ({ attributes }) => String(attributes.createdDate),
          rating: ({ attributes }) => String(attributes.rating),
        },
      });
    }),
    builder.appRoute('response', 'GET', /^\/v1\/customerReviews\/(?<id>[^/]+)\/response$/, TYPES.review, (call) => {
      const shape = responseShape(find(call.id));
      if (!shape) throw notFound(TYPES.response, call.id);
      return builder.resourceAnswer(call, shape);
    }),
    ...responseRoutes(builder, find),
  ];
}

/** Writing an answer, and taking it back. */
function responseRoutes(builder: SafariRouteBuilder, find: (id: string) => CustomerReview): StoreRoute[] {
  return [
    builder.route('respond', 'POST', /^\/v1\/customerReviewResponses$/, (call, key) => {
      const sent = readDocument(call.body, TYPES.response);
      const id = relationship(sent, 'review');
      const app = builder.world.requireApp(key.issuerId, builder.world.customerReview(id)?.app.appId, TYPES.review, id);
      return builder.countingWrites(app, () => {
        if (key.role === 'DEVELOPER') throw forbidden();
        const body = attribute(sent, 'responseBody', text);
        if (body === undefined || body.trim() === '')
          throw conflict(
            'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
            "You must provide a value for the attribute 'responseBody'",
          );
        if ([...body].length > MAX_RESPONSE)
          throw conflict('ENTITY_ERROR.ATTRIBUTE.INVALID.TOO_LONG', "The attribute 'responseBody' is too long");
        const review = find(id);
        // A review has at most one: the next replaces it.
        const [own, modifiedAt] = [review.response?.id ?? randomUUID(), builder.now().toISOString()];
        review.response = { id: own, body, state: 'PENDING_PUBLISH', modifiedAt };
        app.counters.responses += 1;
        const shape = responseShape(review);
        if (!shape) throw notFound(TYPES.response, own);
        return builder.resourceAnswer(call, shape, 201);
      });
    }),
    builder.appRoute(
      'deleteResponse',
      'DELETE',
      /^\/v1\/customerReviewResponses\/(?<id>[^/]+)$/,
      TYPES.response,
      (call, key) => {
        if (key.role === 'DEVELOPER') throw forbidden();
        const review = find(call.id);
        if (review.response?.id !== call.id) throw notFound(TYPES.response, call.id);
        review.response = null;
        return NO_CONTENT;
      },
    ),
  ];
}

const reviewShape = (review: CustomerReview): Shape => ({
  type: TYPES.review,
  id: review.id,
  attributes: {
    rating: review.rating,
    title: review.title,
    body: review.body,
    reviewerNickname: review.nickname,
    createdDate: review.createdDate,
    territory: review.territory,
  },
  related: { response: review.response && { type: TYPES.response, id: review.response.id } },
});

const responseShape = ({ id, response: own }: CustomerReview): Shape | undefined =>
  own === null
    ? undefined
    : {
        type: TYPES.response,
        id: own.id,
        attributes: { responseBody: own.body, lastModifiedDate: own.modifiedAt, state: own.state },
        related: { review: { type: TYPES.review, id } },
      };
