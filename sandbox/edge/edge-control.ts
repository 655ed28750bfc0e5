import { type FromJson, SandboxControl } from '../sandbox-control.js';
import type { EdgeAccountCredentials } from './accounts.js';
import type { Product } from './product.js';

/** What a review of an Edge product can be made to end in, and what can befall the product. */
export type ProductAction = 'approve' | 'reject' | 'cancel' | 'takedown';

/** The control plane with the Edge stand-in's own routes, for a test: throws on any answer but a success. */
export class EdgeControl extends SandboxControl {
  edgeAccount(wish: Partial<EdgeAccountCredentials> = {}): Promise<EdgeAccountCredentials> {
    return this.call('POST', '/edge/accounts', wish);
  }

  /** A new key for the account; the old one is worth nothing from now on. */
  edgeKey(clientId: string): Promise<EdgeAccountCredentials> {
    return this.call('POST', `/edge/accounts/${encodeURIComponent(clientId)}/rotate`);
  }

  revokeEdgeKey(clientId: string): Promise<void> {
    return this.call('POST', `/edge/accounts/${encodeURIComponent(clientId)}/revoke`);
  }

  edgeProduct(wish: { readonly clientId: string; readonly [field: string]: unknown }): Promise<FromJson<Product>> {
    return this.call('POST', '/edge/products', wish);
  }

  product(productId: string): Promise<FromJson<Product>> {
    return this.call('GET', `/edge/products/${productId}`);
  }

  patchProduct(productId: string, change: object): Promise<FromJson<Product>> {
    return this.call('PATCH', `/edge/products/${productId}`, change);
  }

  actOnProduct(productId: string, action: ProductAction): Promise<FromJson<Product>> {
    return this.call('POST', `/edge/products/${productId}/${action}`);
  }
}
