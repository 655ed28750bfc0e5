// Texts for the seller about notifications that are not simply handled.

/** The reason of a notification whose purchase has no license. */
export const NO_LICENSE_YET = 'No license belongs to its purchase, so nothing has changed.';

/** The reason of a notification that is recorded and changes no license. */
export const NOTHING_CHANGED = 'It is recorded, and changes no license.';

/** The reason of a notification of a sale that concerns no extension. */
export const UNRELATED = 'What it sold is marked as unrelated to your extensions.';

/** The reason of a notification whose buyer is not known yet. */
export const WAITING_REASON =
  'No e-mail address is known for this purchase. The license is issued once the processor sends one: subscribe the webhook to customer events, or set `email` in the custom data at checkout.';

/** The processor's id in a `kind:id`. */
export const idIn = (ref: string): string => ref.slice(ref.indexOf(':') + 1);

/** Advice to a seller about a subscription whose start was never received. */
export function earlierReason(refs: readonly string[]): string {
  const id = idIn(refs.find((each) => each.startsWith('subscription:')) ?? refs[0] ?? '');
  return `The subscription began before Pierhead received its notifications, so it has no license. Import its license with the order ${id}, or issue one by replaying this notification with \`issue\`.`;
}

/** Advice to a seller about the events that refunds and disputes need. */
export const unlinkedReason = (event: string, processor: string): string =>
  `It names a payment that nothing links to an invoice, so no license has changed. Enable ${event} for the webhook at ${processor}, and revoke the license yourself if the payment was for one.`;

/** @param codeHints of the imported licenses */
export const followedReason = (codeHints: readonly string[]): string =>
  `The imported license …${codeHints.join(', …')} follows its purchase from now on.`;

/** Advice to a seller about a notification without the sold items. @param refusal the processor's answer to the API key, if there is one */
export const unreadReason = (processor: string, refusal: string | null): string =>
  `The notification names what was sold, and leaves out the rest. Choose snapshot payloads for the webhook at ${processor}, or save ${
    refusal === null ? 'an API key with the credential' : `another API key, since ${processor} answered “${refusal}”`
  }, and replay it.`;
