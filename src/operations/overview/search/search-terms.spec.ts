import { expect, it } from 'vitest';
import { beginningWith } from '../../../common/fields/pure.js';
import { termsOf } from './search-terms.js';

const KINDS = ['', 'order:', 'subscription:', 'payment:', 'session:', 'invoice:', 'transaction:'];

it.each<[string, object]>([
  ['Tab Counter', { name: 'tab counter', version: null, email: null, codeHint: null, refs: [] }],
  ['  tab  ', { name: 'tab', refs: [] }],
  ['1.4.0', { version: '1.4.0', codeHint: null }],
  ['v2', { version: '2', refs: [] }],
  ['1.2.3.4.5', { version: null }],
  ['Ann@Example.com', { email: beginningWith('ann@example.com'), codeHint: null }],
  ['Ann@', { email: beginningWith('ann@') }],
  ['@Example.c', { domain: beginningWith('example.c') }],
  ['example', { domain: beginningWith('example') }],
  ['an', { domain: null, email: null, codeHint: null }],
  ['Ann Lee', { email: null, buyers: "'ann':* & 'lee':*" }],
  ['an', { buyers: null }],
  ['30jcn', { codeHint: beginningWith('30JCN') }],
  ['…30J', { codeHint: beginningWith('30J') }],
  ['30JCN0', { codeHint: null }],
  ['12345', { version: '12345', codeHint: beginningWith('12345') }],
  ['cs_1a', { refs: KINDS.map((kind) => ({ from: `${kind}cs_1a`, to: `${kind}cs_1a` })) }],
  ['cs_1a2', { refs: KINDS.map((kind) => beginningWith(`${kind}cs_1a2`)) }],
])('“%s” may be %j', (text, terms) => {
  expect(termsOf(text)).toMatchObject(terms);
});
