import { Injectable } from '@nestjs/common';
import { CheckoutLinks } from '../../licensing/index.js';
import { Processors, type ProcessorId } from '../../payments/index.js';

/** Answers what licensing asks about checkouts. */
@Injectable()
export class CheckoutLinksService extends CheckoutLinks {
  constructor(private readonly processors: Processors) {
    super();
  }

  override faultOf(processor: ProcessorId, address: string): string | null {
    return this.processors.for(processor).checkoutFault(address);
  }

  override complete(processor: ProcessorId, address: string, claimToken: string): string {
    return this.processors.for(processor).checkoutWith(address, claimToken);
  }
}
