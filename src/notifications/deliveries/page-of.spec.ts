import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DELIVERED_KINDS, type DeliveredKind } from '../kinds.js';
import { pageOf, type PageFacts } from './page-of.js';

const ROUTES = [
  ...readFileSync(new URL('../../../console/src/routes.tsx', import.meta.url), 'utf8').matchAll(/lazily\('(\/[^']*)'/g),
].map(([, path = '']) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));

const EVERYTHING = {
  extensionId: 'e',
  targetId: 't',
  version: '1.4.0 (7)',
  credentialId: 'c',
  licenseId: 'l',
  approvalId: 'a',
};

describe('the page of a notification', () => {
  it.each<[DeliveredKind, Partial<PageFacts>, string | null]>([
    ['live', { extensionId: 'e', targetId: 't', version: '1' }, '/extensions/e/targets/t'],
    [
      'rejected',
      { extensionId: 'e', targetId: 't', version: '1.4.0 (7)' },
      '/extensions/e/versions/1.4.0%20(7)#rejected',
    ],
    ['rejected', { extensionId: 'e', targetId: 't', version: null }, '/extensions/e/targets/t'],
    ['approval_requested', { extensionId: 'e', approvalId: 'a', version: '1' }, '/approvals/a'],
    ['approval_turned_off', { extensionId: 'e' }, '/extensions/e'],
    ['credential_expiring', { extensionId: 'e', credentialId: 'c' }, '/settings/credentials?rotate=c'],
    ['access_token_expiring', {}, '/settings/tokens'],
    ['license.revoked', { extensionId: 'e', licenseId: 'l' }, '/licenses/l'],
    ['license.trial_started', { extensionId: 'e' }, '/extensions/e'],
    ['order_without_license', {}, '/plans?status=unmapped'],
    ['foreign_license_key', {}, null],
    ['low_rating', { extensionId: 'e', targetId: 't' }, '/reviews'],
    ['test', {}, '/notifications'],
  ])('%s about %j is %s', (kind, about, path) => {
    expect(pageOf({ kind, ...about })?.path ?? null).toBe(path);
  });

  it('is a page that the console has, whatever it is about', () => {
    const abouts = Object.keys(EVERYTHING).map((name) => ({ ...EVERYTHING, [name]: null }));
    for (const kind of DELIVERED_KINDS)
      for (const about of [...abouts, { extensionId: 'e' }, { extensionId: 'e', targetId: 't', version: '1' }]) {
        const [path = ''] = pageOf({ kind, ...about })?.path.split(/[?#]/) ?? [];
        expect({ kind, path, isKnown: path === '' || ROUTES.some((route) => route.test(path)) }).toMatchObject({
          isKnown: true,
        });
      }
  });
});
