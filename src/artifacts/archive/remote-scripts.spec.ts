import { describe, expect, it } from 'vitest';
import { leastTimeOf } from '../../../test/support/processor-time.js';
import { remoteScriptsIn } from './remote-scripts.js';

describe('scripts of other hosts', () => {
  it.each<[string, string, readonly string[]]>([
    ['in double quotes', '<script src="https://cdn.example/a.js"></script>', ['https://cdn.example/a.js']],
    ['in single quotes', "<script async src='http://cdn.example/a.js'>", ['http://cdn.example/a.js']],
    ['without quotes', '<SCRIPT\nSRC=//cdn.example/a.js defer>', ['//cdn.example/a.js']],
    ['with spaces', '<script type=module src = " https://cdn.example/a.js ">', ['https://cdn.example/a.js']],
    ['after others', '<script src=a.js></script><script src="https://b.example/">', ['https://b.example/']],
    ['after an empty comment', '<!--><script src="https://b.example/"></script> -->', ['https://b.example/']],
    ['after text', '<textarea></textarea><script src="https://b.example/">', ['https://b.example/']],
    ['of a named type', '<script type="Text/JavaScript" src="https://b.example/">', ['https://b.example/']],
    ['after a comment', '<!-- > --><script src="https://b.example/">', ['https://b.example/']],
  ])('%s', (_case, html, found) => {
    expect(remoteScriptsIn(html)).toEqual(found);
  });

  it.each([
    ['of the package', '<script src="a.js"></script><script src="/b.js"></script>'],
    ['in a comment', '<!-- <script src="https://cdn.example/a.js"></script> -->'],
    ['in a script', '<script>"<script src=https://cdn.example/a.js>"</script>'],
    ['in an attribute', '<script title="src=https://cdn.example/a.js" data-src="https://cdn.example/b.js">'],
    ['after the first', '<script src="a.js" src="https://cdn.example/a.js">'],
    ['of another element', '<scripts src="https://cdn.example/a.js"><img src="https://cdn.example/a.png">'],
    ['in a template', '<template><script src="https://cdn.example/a.js"></script></template>'],
    ['in text', '<textarea><script src="https://cdn.example/a.js"></script></textarea>'],
    ['that is data', '<script type="text/plain" src="https://cdn.example/a.js"></script>'],
    ['that is not finished', '<!-- <script src="https://cdn.example/a.js">'],
  ])('none %s', (_case, html) => {
    expect(remoteScriptsIn(html)).toEqual([]);
  });

  it.each([
    ['scripts', '<script '],
    ['comments', '<!--'],
    ['templates', '<template>'],
    ['quotes', '<script src="'],
    ['both quotes', `<script a="b' c='`],
    ['equals signs', '<script a= '],
    ['spaces', `<script ${' '.repeat(1000)}`],
    ['slashes', `<script ${'/'.repeat(1000)}=`],
  ])('in time that grows with a page of %s', async (_case, part) => {
    const html = part.repeat(Math.ceil(1024 ** 2 / part.length));
    expect(await leastTimeOf(() => remoteScriptsIn(html))).toBeLessThan(500);
  });
});
