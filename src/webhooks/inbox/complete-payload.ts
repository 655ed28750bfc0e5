import type { OpenedPaymentSecrets } from '../../credentials/index.js';
import { PaymentFailure, type Payload, type Processor } from '../../payments/index.js';
import { unreadReason } from '../purchases/index.js';

/** A notification with what it left out, or the reason why that could not be read. */
export interface CompletedPayload {
  readonly payload: Payload;
  readonly gap: string | null;
}

/**
 * Reads what a notification leaves out with the keys of the credentials.
 * @throws PaymentFailure when the processor cannot be reached
 */
export async function completePayload(
  processor: Processor,
  secrets: readonly OpenedPaymentSecrets[],
  payload: Payload,
): Promise<CompletedPayload> {
  if (isOfAnotherAccount(processor.accountOf(payload), secrets)) return { payload, gap: null };
  const omission = processor.leavesOut(payload);
  if (omission === null) return { payload, gap: null };
  let refusal: string | null = null;
  for (const apiKey of secrets.flatMap((each) => each.apiKey ?? [])) {
    const answer = await processor.complete(payload, apiKey).catch(refusalIn);
    if (typeof answer !== 'string') return { payload: answer, gap: null };
    refusal = answer;
  }
  // A Payment Link that a plan lists, or the invoice, says what was sold.
  if (omission === 'items') return { payload, gap: null };
  return { payload, gap: unreadReason(processor.title, refusal) };
}

/** Whether a notification is about an account that is none of the credentials'. Pure. */
export const isOfAnotherAccount = (account: string | null, secrets: readonly OpenedPaymentSecrets[]): boolean =>
  account !== null && !secrets.some(({ identity }) => identity === account);

/** The processor's answer about a key that it refuses. */
function refusalIn(error: unknown): string {
  if (error instanceof PaymentFailure && error.kind === 'credential') return error.message;
  throw error;
}
