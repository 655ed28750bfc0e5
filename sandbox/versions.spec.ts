import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersion } from './versions.js';

describe('extension versions', () => {
  it.each(['1', '1.0', '0.0.1', '1.2.3.4', '65535.0.0.65535'])('%s is valid', (version) => {
    expect(parseVersion(version)).not.toBeNull();
  });

  it.each(['', '0', '0.0.0.0', '1.', '.1', '1.2.3.4.5', '01.2', '1.65536', '1.a', '-1', '1.2-beta', ' 1'])(
    '%j is invalid',
    (version) => {
      expect(parseVersion(version)).toBeNull();
    },
  );

  it('are compared by number, with a missing part as zero', () => {
    expect(compareVersions('1.10', '1.9')).toBeGreaterThan(0);
    expect(compareVersions('1.0', '1.0.0.1')).toBeLessThan(0);
    expect(compareVersions('2', '2.0.0.0')).toBe(0);
  });
});
