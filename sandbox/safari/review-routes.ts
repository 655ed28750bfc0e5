import { flag, oneOf } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { page, type Shape } from './documents.js';
import type { SafariDoor } from './door.js';
import { conflict, forbidden, notFound } from './errors.js';
import { PLATFORMS, type ReviewSubmission } from './model.js';
import { attribute, readDocument, relationship } from './requests.js';
import { itemShape, reviewShape } from './resources.js';
import { addToReview, cancelReview, openReview, resolveItem, submitReview } from './review.js';

const REVIEW_INCLUDES = ['app', 'items', 'appStoreVersionForReview'];
const ITEM_INCLUDES = ['appStoreVersion'];

/** Review submissions. */
export function reviewRoutes(door: SafariDoor): StoreRoute[] {
  const path = /^\/v1\/reviewSubmissions\/(?<id>[^/]+)$/;
  const shape = (review: ReviewSubmission): Shape => reviewShape(door.world, review);
  return [
    door.route('reviews', 'GET', /^\/v1\/reviewSubmissions$/, (call, key) => {
      const reviews = door.world.appsOf(key.issuerId).flatMap(({ appId }) => door.world.reviewsOf(appId));
      return page(call, {
        ...door.listing(reviews.map(shape)),
        includes: REVIEW_INCLUDES,
        required: ['app'],
        filters: {
          app: ({ id }) => door.world.review(id)?.appId,
          platform: ({ attributes }) => attributes.platform,
          state: ({ attributes }) => attributes.state,
        },
      });
    }),
    door.route('createReview', 'POST', /^\/v1\/reviewSubmissions$/, (call, key) => {
      const sent = readDocument(call.body, 'reviewSubmissions');
      const app = door.appOf(key, relationship(sent, 'app'));
      return door.counting(app, () => {
        const platform = attribute(sent, 'platform', oneOf(PLATFORMS));
        if (platform === undefined) throw conflict('ENTITY_ERROR.ATTRIBUTE.REQUIRED', "'platform' is required");
        return door.one(call, shape(openReview(door.world, app, platform)), 201, REVIEW_INCLUDES);
      });
    }),
    door.about('review', 'GET', path, 'reviewSubmissions', (call) =>
      door.one(call, shape(reviewOf(door, call.id)), 200, REVIEW_INCLUDES),
    ),
    door.about('submit', 'PATCH', path, 'reviewSubmissions', (call, key) => {
      const review = reviewOf(door, call.id);
      const sent = readDocument(call.body, 'reviewSubmissions', call.id);
      if (key.role === 'DEVELOPER') throw forbidden();
      if (attribute(sent, 'canceled', flag) === true) cancelReview(door.world, call.app, review);
      if (attribute(sent, 'submitted', flag) === true) submitReview(door.world, call.app, review);
      door.world.app(call.app.appId);
      return door.one(call, shape(review), 200, REVIEW_INCLUDES);
    }),
  ];
}

/** What is in them. */
export function reviewItemRoutes(door: SafariDoor): StoreRoute[] {
  const path = /^\/v1\/reviewSubmissionItems\/(?<id>[^/]+)$/;
  const find = (id: string) => {
    const review = door.world.reviewOfItem(id);
    const item = review?.items.find((one) => one.id === id);
    if (!review || !item) throw notFound('reviewSubmissionItems', id);
    return { review, item };
  };
  return [
    door.about('reviewItems', 'GET', /^\/v1\/reviewSubmissions\/(?<id>[^/]+)\/items$/, 'reviewSubmissions', (call) => {
      const review = reviewOf(door, call.id);
      return page(call, {
        ...door.listing(review.items.map((item) => itemShape(review, item))),
        includes: ITEM_INCLUDES,
      });
    }),
    door.route('addToReview', 'POST', /^\/v1\/reviewSubmissionItems$/, (call, key) => {
      const sent = readDocument(call.body, 'reviewSubmissionItems');
      const reviewId = relationship(sent, 'reviewSubmission');
      const app = door.world.owned(key.issuerId, door.world.review(reviewId)?.appId, 'reviewSubmissions', reviewId);
      return door.counting(app, () => {
        const versionId = relationship(sent, 'appStoreVersion');
        const version = door.world.version(versionId);
        if (version?.appId !== app.appId) throw notFound('appStoreVersions', versionId);
        const review = reviewOf(door, reviewId);
        return door.one(call, itemShape(review, addToReview(door.world, app, review, version)), 201, ITEM_INCLUDES);
      });
    }),
    door.about('resolveItem', 'PATCH', path, 'reviewSubmissionItems', (call) => {
      const { review, item } = find(call.id);
      const sent = readDocument(call.body, 'reviewSubmissionItems', call.id);
      if (attribute(sent, 'resolved', flag) === true) resolveItem(review, item);
      if (attribute(sent, 'removed', flag) === true) item.state = 'REMOVED';
      return door.one(call, itemShape(review, item), 200, ITEM_INCLUDES);
    }),
  ];
}

function reviewOf({ world }: SafariDoor, id: string): ReviewSubmission {
  const review = world.review(id);
  if (!review) throw notFound('reviewSubmissions', id);
  return review;
}
