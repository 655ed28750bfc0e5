import { describe, expect, it } from 'vitest';
import { hitHref } from './hit-href';

const found = { id: 'id-1', extensionId: 'ext-1', title: '1.4.0-rc/2' };

describe('a search result', () => {
  it.each([
    ['extension', '/extensions/ext-1'],
    ['version', '/extensions/ext-1/versions/1.4.0-rc%2F2'],
    ['item', '/extensions/ext-1/targets/id-1'],
    ['license', '/licenses/id-1'],
  ] as const)('of kind %s opens %s', (kind, href) => {
    expect(hitHref({ ...found, kind })).toBe(href);
  });

  it('that is a sale without a license opens its order', () => {
    expect(hitHref({ ...found, kind: 'sale', extensionId: null, title: 'Stripe' })).toBe('/orders/id-1');
  });
});
