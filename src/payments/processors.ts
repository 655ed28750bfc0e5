import type { SignedRequest } from './signatures.js';
import { PROCESSOR_IDS, type Processor, type ProcessorId } from './processor.js';

/** All payment processors, one for each id: a hole or a double stops the boot. */
export class Processors {
  private readonly byId: ReadonlyMap<ProcessorId, Processor>;

  constructor(processors: readonly Processor[]) {
    this.byId = new Map(processors.map((processor) => [processor.id, processor]));
    const missing = PROCESSOR_IDS.filter((id) => !this.byId.has(id));
    if (missing.length > 0) throw new Error(`No adapter is registered for ${missing.join(', ')}`);
    if (processors.length !== this.byId.size) throw new Error('Two adapters are registered for one processor');
  }

  for(id: ProcessorId): Processor {
    const processor = this.byId.get(id);
    if (processor === undefined) throw new Error(`${id} is no payment processor`);
    return processor;
  }

  /** In the order of `PROCESSOR_IDS`. */
  get all(): readonly Processor[] {
    return PROCESSOR_IDS.map((id) => this.for(id));
  }

  /** The processors whose kind of signature a request carries; an honest one carries one. */
  signing(request: Pick<SignedRequest, 'headers'>): readonly Processor[] {
    return this.all.filter((processor) => processor.isSigned(request));
  }
}
