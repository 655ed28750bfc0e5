import { expect, it } from 'vitest';
import { isPublicUrl } from './public-url.js';

it.each([
  ['https://pierhead.example.com', true],
  ['https://pierhead.example.com:8443/base', true],
  ['http://pierhead.example.com', false],
  ['https://localhost', false],
  ['https://pierhead', false],
  ['https://pierhead.local', false],
  ['https://pierhead.internal', false],
  ['https://app.localhost', false],
  ['https://127.0.0.1', false],
  ['https://8.8.8.8', false],
  ['https://[2001:db8::1]', false],
])('%s: a store can reach it: %s', (url, isPublic) => {
  expect(isPublicUrl(url)).toBe(isPublic);
});
