import { compareVersions, type Store } from '../stores/pure.js';
import { PHASE_FACTS, type TargetRequest } from './status/phase.js';
import type { TargetWithStatus } from './status/target-status.entity.js';

/** Why a target does not take a request now; null if it does. Pure. */
export function requestRefusal(
  request: TargetRequest,
  { enabled, releaseMode, status }: Pick<TargetWithStatus, 'enabled' | 'releaseMode' | 'status'>,
  { title, capabilities }: Pick<Store, 'title' | 'capabilities'>,
): string | null {
  const { phase, message, desiredVersion, submittedVersion, approval } = status;
  // Pierhead does not know that it submitted what is approved and still not published.
  if (request === 'release' && releaseMode !== 'manual' && phase !== 'approved')
    return 'the target releases approved versions automatically.';
  if (desiredVersion === null) return 'no version is pinned.';
  if (approval === 'waiting') return message;
  // A store that fails just now is asked to release later what it last had in review.
  const isKnown =
    phase !== 'backing_off' || (submittedVersion !== null && compareVersions(submittedVersion, desiredVersion) === 0);
  if (!enabled || PHASE_FACTS[phase].request !== request || !isKnown) return `the target is ${phase}; ${message}`;
  return phase === 'rejected' && !capabilities.resubmission
    ? `${title} takes no version twice. Push a newer one.`
    : null;
}
