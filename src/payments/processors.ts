import { AdapterRegistry } from '../common/net/index.js';
import { PROCESSOR_IDS, type Processor, type ProcessorId } from './processor.js';
import type { SignedRequest } from './signatures.js';

/** All payment processors. */
export class Processors extends AdapterRegistry<ProcessorId, Processor> {
  constructor(processors: readonly Processor[]) {
    super(PROCESSOR_IDS, processors);
  }

  /** The processors whose kind of signature a request carries; a genuine request carries one kind, which several may share. */
  signing(request: Pick<SignedRequest, 'headers'>): readonly Processor[] {
    return this.all.filter((processor) => processor.isSigned(request));
  }
}
