import { describe, expect, it } from 'vitest';
import { subjectHref } from './subject-href';

const about = (type: string, action = `${type}.updated`) => ({
  action,
  subject: { type, id: 'id-1', name: 'a/b' },
  extensionId: 'ext-1',
});

describe('the page of what an entry is about', () => {
  it.each([
    ['license', '/licenses/id-1'],
    ['order', '/orders/id-1'],
    ['extension', '/extensions/id-1'],
    ['target', '/extensions/ext-1/targets/id-1'],
    ['artifact', '/extensions/ext-1/versions/a%2Fb'],
    ['license_batch', '/licenses?campaign=a%2Fb'],
    ['member', '/settings/members'],
    ['session', null],
    ['nothing', null],
    ['constructor', null],
  ])('of a subject of type %s is %s', (type, href) => {
    expect(subjectHref(about(type))).toBe(href);
  });

  it('is none once the subject is deleted, and for a target of no extension', () => {
    expect(subjectHref(about('license', 'license.deleted'))).toBeNull();
    expect(subjectHref({ ...about('target'), extensionId: null })).toBeNull();
  });

  it('is the campaign of a batch only if that has one', () => {
    const batch = about('license_batch');
    expect(subjectHref({ ...batch, subject: { ...batch.subject, name: null } })).toBeNull();
  });
});
