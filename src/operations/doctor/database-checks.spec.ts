import { describe, expect, it } from 'vitest';
import { remedyOf } from './database-checks.js';

describe('the remedy for a database that cannot be asked', () => {
  it.each([
    ['ENOSPC', /^Make room/],
    ['ECONNREFUSED', /^Check that the server is running/],
  ])('fits %s', (code, remedy) => {
    expect(remedyOf(Object.assign(new Error('failed'), { code }))).toMatch(remedy);
  });
});
