import type { Action } from '../../../audit/index.js';
import { composeMail, type ComposedMail } from '../../../mail/index.js';

type UserAction = Extract<Action, `user.${string}`>;

/** Actions that a thief would take, which Pierhead mails the user about: the subject, and the start of the sentence that says when and from where. */
const NEWS = {
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
export type AccountNews = keyof typeof NEWS;

/** Whether Pierhead mails the user about an action. */
export const isAccountNews = (action: UserAction): action is AccountNews => action in NEWS;

/** Composes the mail that tells a user of a change of the account. @param from browser, system and country, or the operator; null when unknown. Pure. */
export function accountMail(
  news: AccountNews,
  { publicUrl, at, from }: { readonly publicUrl: string; readonly at: Date; readonly from: string | null },
): ComposedMail {
  const [subject, what] = NEWS[news];
  return composeMail(subject, [
    `${what} at Pierhead (${publicUrl}) on ${at.toUTCString()}${from === null ? '' : `, ${from}`}.`,
    'If you did this, or asked for it, there is nothing to do. If not, tell the operator of this service: somebody else can use your account.',
  ]);
}
