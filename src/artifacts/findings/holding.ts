import { compareVersions, type StoreFinding } from '../../stores/pure.js';
import type { FindingOverrideEntity } from './finding-override.entity.js';

/** An override, by what decides whether a finding holds a version. */
export type Override = Pick<FindingOverrideEntity, 'findingId' | 'version' | 'acceptedAt'>;

/**
 * Whether a finding keeps a version from its store: the store refuses it every time, nobody has overridden it for this version, and the store
 * has not taken any version that had it. Pure.
 * @param version as stores show it
 */
export const holds = (
  { id, severity }: Pick<StoreFinding, 'id' | 'severity'>,
  version: string,
  overrides: readonly Override[],
): boolean =>
  severity === 'refused' &&
  !overrides.some(
    (one) => one.findingId === id && (one.acceptedAt !== null || compareVersions(one.version, version) === 0),
  );
