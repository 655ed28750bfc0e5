import { expect, it } from 'vitest';
import { offerIn } from './update-answer.js';

const ID = 'a'.repeat(32);
const HASH = '0123456789abcdef'.repeat(4);
const answer = (check: string, app = `<app appid="${ID}" status="ok">`): string =>
  `<?xml version="1.0" encoding="UTF-8"?><gupdate protocol="2.0">${app}<updatecheck ${check}/></app></gupdate>`;

it.each([
  [
    'everything',
    answer(
      `codebase="https://a.example/x.crx?P1=1&amp;P2=2" fp="1.x" hash_sha256="${HASH.toUpperCase()}" size="9" status="ok" version="1.2"`,
    ),
    { version: '1.2', codebase: 'https://a.example/x.crx?P1=1&P2=2', sha256: HASH },
  ],
  ['a version alone', answer('status="ok" version="1.2"'), { version: '1.2', codebase: null, sha256: null }],
  [
    'no digest',
    answer('status="ok" version="1.2" hash_sha256="" codebase="x"'),
    { version: '1.2', codebase: 'x', sha256: null },
  ],
  [
    'no other attribute of a similar name',
    answer('status="ok" old_version="9" version="1.2"'),
    { version: '1.2', codebase: null, sha256: null },
  ],
  ['no update', answer('status="noupdate"'), null],
  ['no version', answer('status="ok" version="x"'), null],
  ['another item', answer('status="ok" version="1.2"', `<app appid="${'b'.repeat(32)}" status="ok">`), null],
  ['an item that is unknown', `<gupdate><app appid="${ID}" status="error-unknownApplication"/></gupdate>`, null],
  ['a page', '<html><body>Hello</body></html>', null],
  ['nothing', '', null],
] as const)('reads %s', (_, xml, offer) => {
  expect(offerIn(xml, ID)).toEqual(offer);
});
