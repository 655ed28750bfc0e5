import { expect, it } from 'vitest';
import { DELIVERED_KINDS, isLicenseKind } from './kinds.js';
import { exampleOf } from './example.js';

const NOW = new Date('2030-01-01T00:00:00Z');

it.each(DELIVERED_KINDS)('an example of %s has what such a notification has', (kind) => {
  const { message, license, trial, extensionName } = exampleOf(kind, NOW);
  expect(message).toMatch(kind === 'test' ? /^This is a test\./ : /^Example: .+\.$/);
  expect(message).not.toContain('has changed');
  expect(license !== null || trial !== null).toBe(isLicenseKind(kind));
  if (license !== null || trial !== null) expect(extensionName).toBe('Tab Counter');
});
