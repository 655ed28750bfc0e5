import type { Action } from '../../audit/index.js';
import { composeMail, type ComposedMail } from '../../mail/index.js';

type UserAction = Extract<Action, `user.${string}`>;

/** Actions that an attacker would take, about which Pierhead mails the user: the subject, and the start of the sentence that says when and from where. */
const ALERTS = {
  'user.password_changed': ['Your password was changed', 'The password of your account was changed'],
  'user.password_reset': ['Your password was reset', 'The password of your account was reset'],
  'user.second_factor_enabled': ['A second factor was added', 'A second factor was added to your account'],
  'user.second_factor_disabled': ['Your second factor was removed', 'The second factor of your account was removed'],
  'user.identity_linked': ['A sign-in was linked', 'A sign-in at the identity provider was linked to your account'],
  'user.identity_unlinked': [
    'A sign-in was unlinked',
    'A sign-in at the identity provider was unlinked from your account',
  ],
} as const satisfies Partial<Record<UserAction, readonly [subject: string, what: string]>>;
export type AccountAlert = keyof typeof ALERTS;

/** Whether Pierhead mails the user about an action. */
export const isAccountAlert = (action: UserAction): action is AccountAlert => action in ALERTS;

/** Composes the mail that alerts a user to a change of the account. @param from browser, system and country, or the operator; null when unknown. Pure. */
export function accountMail(
  alert: AccountAlert,
  { publicUrl, at, from }: { readonly publicUrl: string; readonly at: Date; readonly from: string | null },
): ComposedMail {
  const [subject, what] = ALERTS[alert];
  return composeMail(
    subject,
    [
      `${what} at Pierhead (${publicUrl}) on ${at.toUTCString()}${from === null ? '' : `, ${from}`}.`,
      'If you did this or asked for it, you can ignore this mail. If not, contact the operator of this service: someone else may have access to your account.',
    ],
    'because it protects your account',
  );
}
