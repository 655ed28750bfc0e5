import { describe, expect, it } from 'vitest';
import { clientNameIn } from './client-name.js';

describe('the name of a client', () => {
  it.each([
    ['curl/8.5.0', 'curl/8.5.0'],
    ['node', 'node'],
    ['pierhead-cli/1.2.0 (linux; x64) node/22', 'pierhead-cli/1.2.0'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Mozilla/5.0'],
    ['  curl/8.5.0', 'curl/8.5.0'],
    ['<script>', null],
    ['(a comment) curl/8.5.0', null],
    ['', null],
    [undefined, null],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['curl/8.5.0<script>', 'curl/8.5.0'],
  ])('in %j is %j', (userAgent, name) => {
    expect(clientNameIn(userAgent)).toBe(name);
  });
});
