import { expect, it } from '@jest/globals';
import { termsOf } from './search-terms.js';

it.each<[string, object]>([
  ['Tab Counter', { name: 'tab counter', version: null, email: null, codeHint: null, refs: [] }],
  ['  tab  ', { name: 'tab', refs: [] }],
  ['1.4.0', { version: '1.4.0', codeHint: null }],
  ['v2', { version: '2', refs: [] }],
  ['1.2.3.4.5', { version: null }],
  ['Ann@Example.com', { email: 'ann@example.com', codeHint: null }],
  ['ann@', { email: null }],
  ['30jcn', { codeHint: '30JCN' }],
  ['…30JCN', { codeHint: '30JCN' }],
  ['30JCN0', { codeHint: null }],
  ['12345', { version: '12345', codeHint: '12345' }],
  [
    'cs_1a',
    {
      refs: [
        'cs_1a',
        'order:cs_1a',
        'subscription:cs_1a',
        'payment:cs_1a',
        'session:cs_1a',
        'invoice:cs_1a',
        'transaction:cs_1a',
      ],
    },
  ],
])('“%s” may be %j', (text, terms) => {
  expect(termsOf(text)).toMatchObject(terms);
});
