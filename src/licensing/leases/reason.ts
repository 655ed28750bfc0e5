/** Why activate and check answer as they do. Clients rely on them: a reason may be added, none renamed. */
export const REASONS = [
  'active',
  'invalid_code',
  'revoked',
  'suspended',
  'expired',
  'seat_limit_reached',
  'seat_not_active',
  'code_replaced',
] as const;
export type Reason = (typeof REASONS)[number];

/** Why a request for a trial is answered as it is. Clients rely on them, too. */
export const TRIAL_REASONS = [
  'trial_active',
  'trial_ended',
  'trial_converted',
  'no_trial',
  'email_required',
  'email_unconfirmed',
  'email_taken',
  'limit_reached',
] as const;
export type TrialReason = (typeof TRIAL_REASONS)[number];
