import type { Answer } from '../answer.js';
import { flag, oneOf } from '../input.js';
import type { StoreCall, StoreRoute } from '../stand-in.js';
import { page, type Shape } from './documents.js';
import type { SafariRouteBuilder } from './route-builder.js';
import { conflict, forbidden, notFound } from './errors.js';
import type { ApiKey } from './keys.js';
import { PLATFORMS, type ReviewSubmission } from './model.js';
import { attribute, readDocument, relationship } from './requests.js';
import { itemShape, reviewShape } from './resources.js';
import { addToReview, cancelReview, openReview, resolveItem, submitReview } from './review.js';

const REVIEW_INCLUDES = ['app', 'items', 'appStoreVersionForReview'];
const ITEM_INCLUDES = ['appStoreVersion'];

/** Review submissions. */
export function reviewRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const path = /^\/v1\/reviewSubmissions\/(?<id>[^/]+)$/;
  const shape = (review: ReviewSubmission): Shape => reviewShape(builder.world, review);
  return [
    builder.route('reviews', 'GET', /^\/v1\/reviewSubmissions$/, (call, key) => {
      const reviews = builder.world.appsOf(key.issuerId).flatMap(({ appId }) => builder.world.reviewsOf(appId));
      return page(call, {
        ...builder.listing(reviews.map(shape)),
        includes: REVIEW_INCLUDES,
        required: ['app'],
        filters: {
          app: ({ id }) => builder.world.review(id)?.appId,
          platform: ({ attributes }) => attributes.platform,
          state: ({ attributes }) => attributes.state,
        },
      });
    }),
    builder.route('createReview', 'POST', /^\/v1\/reviewSubmissions$/, (call, key) => {
      const sent = readDocument(call.body, 'reviewSubmissions');
      const app = builder.appOf(key, relationship(sent, 'app'));
      return builder.countingWrites(app, () => {
        const platform = attribute(sent, 'platform', oneOf(PLATFORMS));
        if (platform === undefined) throw conflict('ENTITY_ERROR.ATTRIBUTE.REQUIRED', "'platform' is required");
        return builder.resourceAnswer(call, shape(openReview(builder.world, app, platform)), 201, REVIEW_INCLUDES);
      });
    }),
    builder.appRoute('review', 'GET', path, 'reviewSubmissions', (call) =>
      builder.resourceAnswer(call, shape(reviewOf(builder, call.id)), 200, REVIEW_INCLUDES),
    ),
    builder.appRoute('submit', 'PATCH', path, 'reviewSubmissions', (call, key) => {
      const review = reviewOf(builder, call.id);
      const sent = readDocument(call.body, 'reviewSubmissions', call.id);
      if (key.role === 'DEVELOPER') throw forbidden();
      if (attribute(sent, 'canceled', flag) === true) cancelReview(builder.world, call.app, review);
      if (attribute(sent, 'submitted', flag) === true) submitReview(builder.world, call.app, review);
      builder.world.app(call.app.appId);
      return builder.resourceAnswer(call, shape(review), 200, REVIEW_INCLUDES);
    }),
  ];
}

/** The items of review submissions. */
export function reviewItemRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const path = /^\/v1\/reviewSubmissionItems\/(?<id>[^/]+)$/;
  const find = (id: string) => {
    const review = builder.world.reviewOfItem(id);
    const item = review?.items.find((one) => one.id === id);
    if (!review || !item) throw notFound('reviewSubmissionItems', id);
    return { review, item };
  };
  return [
    builder.appRoute(
      'reviewItems',
      'GET',
      /^\/v1\/reviewSubmissions\/(?<id>[^/]+)\/items$/,
      'reviewSubmissions',
      (call) => {
        const review = reviewOf(builder, call.id);
        return page(call, {
          ...builder.listing(review.items.map((item) => itemShape(review, item))),
          includes: ITEM_INCLUDES,
        });
      },
    ),
    builder.route('addToReview', 'POST', /^\/v1\/reviewSubmissionItems$/, (call, key) => addItem(builder, call, key)),
    builder.appRoute('resolveItem', 'PATCH', path, 'reviewSubmissionItems', (call) => {
      const { review, item } = find(call.id);
      const sent = readDocument(call.body, 'reviewSubmissionItems', call.id);
      if (attribute(sent, 'resolved', flag) === true) resolveItem(review, item);
      if (attribute(sent, 'removed', flag) === true) item.state = 'REMOVED';
      return builder.resourceAnswer(call, itemShape(review, item), 200, ITEM_INCLUDES);
    }),
  ];
}

function addItem(builder: SafariRouteBuilder, call: StoreCall, key: ApiKey): Answer {
  const { world } = builder;
  const sent = readDocument(call.body, 'reviewSubmissionItems');
  const reviewId = relationship(sent, 'reviewSubmission');
  const app = world.requireApp(key.issuerId, world.review(reviewId)?.appId, 'reviewSubmissions', reviewId);
  return builder.countingWrites(app, () => {
    const versionId = relationship(sent, 'appStoreVersion');
    const version = world.version(versionId);
    if (version?.appId !== app.appId) throw notFound('appStoreVersions', versionId);
    const review = reviewOf(builder, reviewId);
    const item = addToReview(world, app, review, version);
    return builder.resourceAnswer(call, itemShape(review, item), 201, ITEM_INCLUDES);
  });
}

function reviewOf({ world }: SafariRouteBuilder, id: string): ReviewSubmission {
  const review = world.review(id);
  if (!review) throw notFound('reviewSubmissions', id);
  return review;
}
