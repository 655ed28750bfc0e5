import { expect, it } from 'vitest';
import { ofPlatform, platformName, PROCESSORS, STORES } from './names';

it('stores and processors have names, the stores in their order', () => {
  expect(Object.entries(STORES)).toEqual([
    ['chrome', 'Chrome'],
    ['firefox', 'Firefox'],
    ['edge', 'Edge'],
    ['safari', 'Safari'],
  ]);
  expect(PROCESSORS.stripe).toBe('Stripe');
});

it('a platform is written as its maker does, and one that is not known as the service does', () => {
  expect(platformName('ios')).toBe('iOS');
  expect(platformName('visionos')).toBe('visionos');
  expect(ofPlatform('macos')).toBe(' (macOS)');
  expect(ofPlatform(null)).toBe('');
});
