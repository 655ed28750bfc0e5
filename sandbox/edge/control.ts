import { Router } from 'express';
import { ControlRefusal } from '../control-refusal.js';
import { fields, listOf, matching, object, optional, required, text } from '../input.js';
import type { ListedItem } from '../stand-in.js';
import type { EdgeAccountCredentials } from './accounts.js';
import type { Product } from './product.js';
import { applyProductInput, PRODUCT_FIELDS } from './product-input.js';
import { approve, closeReview } from './product-machine.js';
import type { EdgeWorld } from './world.js';

/** The routes under `/__sim/edge`. */
export function edgeControl(world: EdgeWorld): Router {
  const router = Router();
  router.post('/accounts', (req, res) => {
    res.status(201).json(createAccount(world, req.body ?? {}));
  });
  router.post('/accounts/:clientId/revoke', (req, res) => {
    world.accounts.revoke(req.params.clientId);
    res.status(204).end();
  });
  router.post('/accounts/:clientId/rotate', (req, res) => {
    res.json(world.accounts.rotate(req.params.clientId, world.now()));
  });
  router.post('/products', (req, res) => {
    res.status(201).json(createProduct(world, req.body ?? {}));
  });
  router.get('/products/:productId', (req, res) => {
    res.json(requireProduct(world, req.params.productId));
  });
  router.patch('/products/:productId', (req, res) => {
    const product = requireProduct(world, req.params.productId);
    res.json(world.save(applyProductInput(product, req.body ?? {}, world.now())));
  });
  for (const [action, change] of Object.entries(ACTIONS)) {
    router.post(`/products/:productId/${action}`, (req, res) => {
      res.json(world.save(change(requireProduct(world, req.params.productId))));
    });
  }
  return router;
}

/** Creates what `POST /__sim/seed` contains under `edge`: accounts, each with its products. */
export function seedEdge(world: EdgeWorld, body: unknown): unknown {
  const from = fields(body, 'edge', ['accounts']);
  const accounts = required(from, 'accounts', listOf(object)).map(({ products: wanted, ...options }) => {
    const credentials = createAccount(world, options);
    const list = wanted === undefined ? [] : listOf(object)(wanted, 'products');
    const products = list.map((one) => createProduct(world, { ...one, clientId: credentials.clientId }));
    return { ...credentials, products };
  });
  return { accounts };
}

/** A product as Partner Center lists it. */
export function listed({ productId, name, review, draft, live, approveAfterSeconds }: Product): ListedItem {
  const states = Object.entries({ 'in review': review?.package, draft, live });
  return {
    id: productId,
    name,
    path: `/edge/products/${productId}`,
    inReview: review?.package.version ?? null,
    versions: states.flatMap(([state, held]) => (held ? [{ version: held.version, state }] : [])),
    approveAfterSeconds,
  };
}

/** Actions of reviewers, or of the developer in Partner Center, on a product. */
const ACTIONS: Readonly<Record<string, (product: Product) => Product>> = {
  approve: (product) => approve(inReview(product)),
  reject: (product) => closeReview(inReview(product)),
  cancel: (product) => closeReview(inReview(product)),
  takedown: (product) => ({ ...product, isPublic: false }),
};

function inReview(product: Product): Product {
  if (product.review === null) throw new ControlRefusal(409, `product ${product.productId} is not in review`);
  return product;
}

function requireProduct(world: EdgeWorld, productId: string): Product {
  const product = world.product(productId);
  if (!product) throw new ControlRefusal(404, `no product ${productId}`);
  return product;
}

function createAccount(world: EdgeWorld, body: unknown): EdgeAccountCredentials {
  const from = fields(body, 'an account', ['clientId', 'apiKey']);
  const [clientId, apiKey] = [optional(from, 'clientId', text), optional(from, 'apiKey', text)];
  return world.accounts.create({ ...(clientId && { clientId }), ...(apiKey && { apiKey }) }, world.now());
}

function createProduct(world: EdgeWorld, body: unknown): Product {
  const ids = ['clientId', 'productId', 'crxId'];
  const { clientId, productId, crxId, ...rest } = fields(body, 'a product', [...ids, ...PRODUCT_FIELDS]);
  const guid = optional({ productId }, 'productId', matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a GUID'));
  const publicId = optional({ crxId }, 'crxId', matching(/^[a-p]{32}$/, '32 letters from a to p'));
  const given = { ...(guid && { productId: guid }), ...(publicId && { crxId: publicId }) };
  return world.createProduct(required({ clientId }, 'clientId', text), given, rest);
}
