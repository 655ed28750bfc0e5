import { describe, expect, it } from 'vitest';
import { newProduct, type Operation, type Product, type StoredPackage } from './product.js';
import {
  approve,
  beginPublish,
  beginUpload,
  closeReview,
  invalidPackage,
  passPoll,
  applyDue,
} from './product-machine.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const packed = (version: string): StoredPackage => ({ version, sha256: `sha-${version}`, size: 1 });
const fresh = (changes: Partial<Product> = {}): Product => ({ ...newProduct('client', 'product', 'crx'), ...changes });
const uploaded = (product: Product, version: string): Product => beginUpload(product, packed(version), NOW).product;
const submitted = (product: Product, version: string): Product =>
  beginPublish(uploaded(product, version), 'notes', NOW).product;
const last = ({ operations }: Product): Operation | undefined => operations.at(-1);

describe('an upload', () => {
  it('becomes the draft, and a second one replaces it', () => {
    const product = uploaded(uploaded(fresh(), '1.0'), '1.1');
    expect(product).toMatchObject({ draft: { version: '1.1' }, counters: { uploads: 2 } });
    expect(last(product)).toMatchObject({ status: 'Succeeded', errorCode: '', errors: null });
  });

  it('stays in progress for the configured number of polls', () => {
    let { product, operationId } = beginUpload(fresh({ uploadPolls: 2 }), packed('1.0'), NOW);
    const seen = [1, 2, 3].map(() => {
      product = passPoll(product, operationId, NOW);
      return [last(product)?.status, product.draft?.version];
    });
    expect(seen).toEqual([
      ['InProgress', undefined],
      ['InProgress', undefined],
      ['Succeeded', '1.0'],
    ]);
  });

  it('ends within a minute without any poll', () => {
    const { product } = beginUpload(fresh({ uploadPolls: 99 }), packed('1.0'), NOW);
    expect(applyDue(product, later(59)).draft).toBeNull();
    expect(applyDue(product, later(60)).draft).toEqual(packed('1.0'));
  });

  it('succeeds for a lower version, and fails for an invalid package', () => {
    expect(last(uploaded(fresh({ live: packed('2.0') }), '1.0'))?.status).toBe('Succeeded');
    const { product } = beginUpload(fresh(), invalidPackage('No zip.'), NOW);
    expect(last(product)).toMatchObject({
      status: 'Failed',
      errorCode: 'PackageValidationError',
      errors: ['No zip.'],
    });
    expect(product).toMatchObject({ draft: null, counters: { uploads: 0, failures: 1 } });
  });
});

describe('a submission', () => {
  it('opens a review with the draft, which the reviewer makes live', () => {
    const product = submitted(fresh({ live: packed('1.0') }), '1.1');
    expect(product).toMatchObject({ draft: null, review: { package: { version: '1.1' }, notes: 'notes' } });
    expect(approve(product)).toMatchObject({ live: { version: '1.1' }, review: null });
    expect(closeReview(product)).toMatchObject({ live: { version: '1.0' }, review: null });
  });

  it.each<[string, Product, string]>([
    ['a review is open', submitted(fresh(), '1.0'), 'InProgressSubmission'],
    ['an unpublish runs', { ...uploaded(fresh(), '1.0'), unpublishing: true }, 'UnpublishInProgress'],
    ['it was never published by hand', { ...uploaded(fresh(), '1.0'), createAllowed: false }, 'CreateNotAllowed'],
    [
      'the listing lacks something',
      { ...uploaded(fresh(), '1.0'), incompleteModules: ['Icon'] },
      'ModuleStateUnPublishable',
    ],
    ['nothing is new', fresh({ live: packed('1.0') }), 'NoModulesUpdated'],
    ['the version is live', uploaded(fresh({ live: packed('1.0') }), '1.0.0'), 'SubmissionValidationError'],
    ['the version is too low', uploaded(fresh({ live: packed('2.0') }), '1.9'), 'SubmissionValidationError'],
  ])('fails when %s', (_, product, errorCode) => {
    const { product: after } = beginPublish(product, null, NOW);
    expect(last(after)).toMatchObject({ of: 'publish', status: 'Failed', errorCode });
    expect(after.counters.submissions).toBe(product.counters.submissions);
  });

  it('opens one review when two are made at once', () => {
    const product = uploaded(fresh({ publishPolls: 1 }), '1.0');
    const first = beginPublish(product, null, NOW);
    const second = beginPublish(first.product, null, NOW);
    const ended = applyDue(second.product, later(60));
    expect(ended.operations.map(({ status }) => status)).toEqual(['Succeeded', 'Succeeded', 'Failed']);
    expect(ended.counters).toMatchObject({ publishes: 2, submissions: 1 });
  });

  it('may succeed and stay in draft', () => {
    const product = submitted(fresh({ staysInDraft: true }), '1.0');
    expect(last(product)?.status).toBe('Succeeded');
    expect(product).toMatchObject({ review: null, draft: { version: '1.0' }, counters: { submissions: 0 } });
  });

  it('is approved after the configured time', () => {
    const product = submitted(fresh({ approveAfterSeconds: 90 }), '1.0');
    expect(applyDue(product, later(89)).live).toBeNull();
    expect(applyDue(product, later(90)).live).toEqual(packed('1.0'));
  });
});

it('fails once for each planned failure of its kind', () => {
  const unexplained = { of: 'publish', errorCode: null, message: 'An error occurred', errors: [] } as const;
  const product = uploaded(fresh({ failures: [unexplained] }), '1.0');
  const first = beginPublish(product, null, NOW).product;
  expect(last(first)).toMatchObject({ status: 'Failed', errorCode: null, errors: [] });
  expect(last(beginPublish(first, null, NOW).product)?.status).toBe('Succeeded');
});
