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
