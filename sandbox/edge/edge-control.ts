import { type FromJson, SandboxControl } from '../sandbox-control.js';
import type { EdgeAccountCredentials } from './accounts.js';
import type { Product } from './product.js';

/** Events of an Edge product: the end of its review, or a take-down. */
export type ProductAction = 'approve' | 'reject' | 'cancel' | 'takedown';

/** The control plane with the Edge stand-in's routes, for tests. Throws unless a call succeeds. */
export class EdgeControl extends SandboxControl {
  edgeAccount(options: Partial<EdgeAccountCredentials> = {}): Promise<EdgeAccountCredentials> {
    return this.call('POST', '/edge/accounts', options);
  }

  /** Replaces the account's key. */
  edgeKey(clientId: string): Promise<EdgeAccountCredentials> {
    return this.call('POST', `/edge/accounts/${encodeURIComponent(clientId)}/rotate`);
  }

  revokeEdgeKey(clientId: string): Promise<void> {
    return this.call('POST', `/edge/accounts/${encodeURIComponent(clientId)}/revoke`);
  }

  edgeProduct(options: { readonly clientId: string; readonly [field: string]: unknown }): Promise<FromJson<Product>> {
    return this.call('POST', '/edge/products', options);
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
