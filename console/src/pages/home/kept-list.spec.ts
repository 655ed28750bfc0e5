import { expect, it } from 'vitest';
import { readKept, withoutView, withStar, withView } from './kept-list';

const NOTHING = { stars: [], views: [] };
const VIEW = { name: 'Mine', query: 'q=owl' };

it.each([
  ['nothing where nothing was kept', null, NOTHING],
  ['nothing of what is no JSON', '{', NOTHING],
  ['nothing of another kind of value', '7', NOTHING],
  ['no member of another kind', '{"stars":[1,"a"],"views":[{"name":"x"},null]}', { stars: ['a'], views: [] }],
  ['stars and views', JSON.stringify({ stars: ['a'], views: [VIEW] }), { stars: ['a'], views: [VIEW] }],
])('reads %s', (_, text, expected) => {
  expect(readKept(text)).toEqual(expected);
});

it('stars an extension, and takes the star away', () => {
  const starred = withStar(NOTHING, 'a');
  expect([starred.stars, withStar(starred, 'a').stars]).toEqual([['a'], []]);
});

it('keeps one view of a name, and at most twenty', () => {
  const twice = withView(withView(NOTHING, VIEW), { ...VIEW, query: 'q=heron' });
  expect(twice.views).toEqual([{ name: 'Mine', query: 'q=heron' }]);
  expect(withoutView(twice, 'Mine').views).toEqual([]);
  const names = Array.from({ length: 25 }, (_, name) => String(name));
  const many = names.reduce((kept, name) => withView(kept, { name, query: '' }), readKept(null));
  expect(many.views.map(({ name }) => name)).toEqual(names.slice(5));
});
