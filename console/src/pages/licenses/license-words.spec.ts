import { describe, expect, it } from 'vitest';
import { filterIn, readSearch, reasonOf, saleOf, stepsFor } from './license-words';

const license = (rest: object) =>
  ({ status: 'active', suspendedFor: null, revokedFor: null, source: 'manual', isTest: false, ...rest }) as Parameters<
    typeof reasonOf
  >[0];

describe('a license', () => {
  it.each([
    [{}, ''],
    [{ status: 'suspended', suspendedFor: 'tenant' }, 'by your team'],
    [{ status: 'suspended', suspendedFor: 'payment' }, 'until it is paid'],
    [{ status: 'revoked', suspendedFor: 'dispute', revokedFor: 'refund' }, 'for a refund'],
    [{ status: 'expired', suspendedFor: 'tenant' }, ''],
  ])('that is %j has the reason “%s”', (rest, reason) => {
    expect(reasonOf(license(rest))).toBe(reason);
  });

  it.each([
    [{ source: 'manual' }, 'issued by hand'],
    [{ source: 'batch:0198c0de/2' }, 'issued in a batch'],
    [{ source: 'import:order:7' }, 'imported, order order:7'],
    [{ source: 'stripe:acct_1:cs_1' }, 'Stripe, cs_1'],
    [{ source: 'stripe:acct_1:cs_1', isTest: true }, 'test sale: Stripe, cs_1'],
    [{ source: 'former:1' }, 'former, 1'],
  ])('from %j was %s', (rest, sale) => {
    expect(saleOf(license(rest))).toBe(sale);
  });

  it.each([
    [{}, 'change resend rotate suspend revoke'],
    [{ buyerEmail: null }, 'change rotate suspend revoke'],
    [{ status: 'expired' }, 'change resend rotate suspend revoke'],
    [{ status: 'suspended', suspendedFor: 'tenant' }, 'change resend rotate reinstate revoke'],
    [{ status: 'revoked', revokedFor: 'tenant' }, 'delete'],
    [{ status: 'revoked', revokedFor: 'refund' }, 'reinstate revoke delete'],
  ])('that is %j offers %s', (rest, steps) => {
    expect(stepsFor(license(rest)).join(' ')).toBe(steps);
  });
});

describe('what is looked for', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    [' ann@buyer.example ', { search: 'ann@buyer.example' }],
    ['ABCD', { search: 'ABCD' }],
    ['ABCD-EFGH-2345-6789', { code: 'ABCD-EFGH-2345-6789' }],
    ['abcd-efgh-2345-6789', { code: 'abcd-efgh-2345-6789' }],
    ['ABCDEFGH23456789', { code: 'ABCDEFGH23456789' }],
    ['averylongcompanyname', { search: 'averylongcompanyname' }],
    ['cs_live_a1b2c3d4e5f6g7h8', { search: 'cs_live_a1b2c3d4e5f6g7h8' }],
  ])('“%s” is %j: a whole code is never part of an address', (typed, read) => {
    expect(readSearch(typed)).toEqual(read);
  });

  it('has the filters of the address that are not empty, and nothing else of it', () => {
    const search = new URLSearchParams('status=active&email=&order=7&isTest=true&page=3');
    expect(filterIn(search)).toEqual({ status: 'active', order: '7', isTest: 'true' });
  });
});
