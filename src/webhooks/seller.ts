import type { ProcessorId } from '../payments/index.js';

/** A tenant at one payment processor. */
export interface Seller {
  readonly tenantId: string;
  readonly processor: ProcessorId;
}
