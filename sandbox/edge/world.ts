import { randomUUID } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';
import { newExtensionId } from '../extension-id.js';
import type { SimClock } from '../sim-clock.js';
import { Accounts } from './accounts.js';
import { newProduct, type Product } from './product.js';
import { applyProductInput } from './product-input.js';
import { applyDue } from './product-machine.js';

/** The state of the stand-in. */
export class EdgeWorld {
  readonly accounts = new Accounts();
  private readonly products = new Map<string, Product>();

  constructor(readonly clock: SimClock) {}

  createProduct(
    clientId: string,
    ids: { readonly productId?: string; readonly crxId?: string },
    input: unknown,
  ): Product {
    this.accounts.named(clientId);
    const productId = ids.productId ?? randomUUID();
    if (this.products.has(productId)) throw new ControlRefusal(409, `product ${productId} exists already`);
    return this.save(
      applyProductInput(newProduct(clientId, productId, ids.crxId ?? newExtensionId()), input, this.now()),
    );
  }

  product(productId: string): Product | undefined {
    const product = this.products.get(productId.toLowerCase());
    return product && this.save(applyDue(product, this.now()));
  }

  list(): readonly Product[] {
    return [...this.products.keys()].flatMap((productId) => this.product(productId) ?? []);
  }

  byCrxId(crxId: string): Product | undefined {
    const found = [...this.products.values()].find((product) => product.crxId === crxId);
    return found && this.product(found.productId);
  }

  save(product: Product): Product {
    this.products.set(product.productId, product);
    return product;
  }

  now(): Date {
    return this.clock.now();
  }

  reset(): void {
    this.accounts.clear();
    this.products.clear();
  }
}
