import type { ProcessorId } from '../../common/config/index.js';

/** Questions of licensing about processors' checkouts, which it does not know itself. The folder that knows processors provides it. */
export abstract class CheckoutLinks {
  /** Returns what is wrong with the address of a checkout; null when nothing is. */
  abstract faultOf(processor: ProcessorId, address: string): string | null;
  /** Puts a claim token into the address of a checkout. */
  abstract complete(processor: ProcessorId, address: string, claimToken: string): string;
}
