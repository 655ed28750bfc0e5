import { Injectable } from '@nestjs/common';
import {
  PaymentFailure,
  PROCESSOR_IDS,
  Processors,
  type PaymentCredentials,
  type ProcessorId,
} from '../payments/index.js';
import {
  STORE_IDS,
  StoreFailure,
  Stores,
  type CredentialShape,
  type StoreId,
  type VerifiedIdentity,
} from '../stores/index.js';

/** The stores and payment processors that issue credentials. */
export const PROVIDER_IDS = [...STORE_IDS, ...PROCESSOR_IDS] as const;
export type ProviderId = StoreId | ProcessorId;

/** A store or payment processor, with what its credentials need. */
export interface CredentialProvider {
  readonly id: ProviderId;
  readonly title: string;
  readonly credentialShape: CredentialShape<object>;
  /** Checks whether credentials work. @param storeItemIds items of the account @throws StoreFailure */
  verify(credentials: object, storeItemIds: readonly string[]): Promise<VerifiedIdentity>;
}

/** Whether a provider is a payment processor. */
export const isProcessor = (id: ProviderId): id is ProcessorId => PROCESSOR_IDS.some((processor) => processor === id);

/** Finds the provider of credentials. */
@Injectable()
export class CredentialProviders {
  constructor(
    private readonly stores: Stores,
    private readonly processors: Processors,
  ) {}

  for(id: ProviderId): CredentialProvider {
    if (!isProcessor(id)) return this.stores.for(id);
    const processor = this.processors.for(id);
    const shape = processor.credentialShape;
    return {
      id,
      title: processor.title,
      credentialShape: { ...shape, secretOf: (given) => shape.secretOf(given as PaymentCredentials) },
      verify: (given) => processor.verify(given as PaymentCredentials).catch(asStoreFailure),
    };
  }
}

/** Translates a processor's failure. */
function asStoreFailure(failure: unknown): never {
  if (!(failure instanceof PaymentFailure)) throw failure;
  throw new StoreFailure(failure.kind, failure.message, { retryAt: failure.retryAt });
}
