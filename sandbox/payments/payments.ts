import { Router } from 'express';
import { jsonAnswer, type Answer } from '../answer.js';
import { type Check, fields, listOf, oneOf, optional, required, text } from '../input.js';
import type { StandIn, StoreCall, StoreRoute } from '../stand-in.js';
import { PaymentAccounts, type PaymentAccount, type PaymentAccountOptions } from './payment-accounts.js';
import { StripeShop } from './stripe-shop.js';
import { PROCESSORS, type SimProcessor } from './processors.js';

const KEY_STATES = ['live', 'restricted', 'revoked'] as const;
const OPTION_NAMES = ['accountId', 'apiKey', 'webhookSecret', 'email'] as const;

/**
 * The stand-ins for the payment processors: the read by which Pierhead checks an API key, and of what a test has put there. Each has a
 * path of its own, since their APIs, and those of the stores, would collide on one origin.
 */
export const createPayments = (): readonly StandIn[] => PROCESSORS.map(standInFor);

function standInFor(processor: SimProcessor): StandIn {
  const accounts = new PaymentAccounts(processor.style);
  const objects: Objects = new Map();
  const shop = processor.id === 'stripe' ? new StripeShop(accounts) : null;
  const accountOptions: Check<PaymentAccountOptions> = (value) => readAccount(value);
  return {
    id: processor.id,
    routes: [...(shop?.routes ?? []), ...routesOf(processor, accounts, objects)],
    control: controlOf(accounts, objects, shop),
    faultAnswer: (_operation, status) => processor.refusal(status, 'A fault of the sandbox.'),
    publisherOf: () => undefined,
    items: () => [],
    seed: (body) =>
      Promise.resolve({
        accounts: required(fields(body, processor.id, ['accounts']), 'accounts', listOf(accountOptions)).map(
          (options) => shown(accounts.create(options)),
        ),
      }),
    demo: () => {
      const { webhookSecret, apiKey } = accounts.create({});
      return Promise.resolve({ credentials: { webhookSecret, apiKey } });
    },
    env: (origin) => ({ [processor.variable]: `${origin}/${processor.id}` }),
    reset: () => {
      accounts.reset();
      objects.clear();
      shop?.reset();
    },
  };
}

/** Answers to an account's key, by path. */
type Objects = Map<string, unknown>;

function routesOf(processor: SimProcessor, accounts: PaymentAccounts, objects: Objects): readonly StoreRoute[] {
  const accountOf = (call: StoreCall): PaymentAccount | undefined => accounts.withKey(keyIn(call, processor));
  const subject = (call: StoreCall) => ({ publisherId: accountOf(call)?.accountId });
  const path = `/${processor.id}${processor.path}`.replaceAll(/[/.]/g, String.raw`\$&`);
  return [
    {
      operation: processor.operation,
      method: 'GET',
      path: new RegExp(`^${path}$`),
      body: 'buffer',
      subject,
      handle: (call) => keyError(processor, accountOf(call)) ?? jsonAnswer(200, processor.resource(accountOf(call))),
    },
    {
      operation: 'object',
      method: '*',
      path: new RegExp(`^/${processor.id}(/|$)`),
      body: 'buffer',
      subject,
      handle: (call) => {
        const object = objects.get(call.url.pathname.slice(processor.id.length + 1));
        if (object === undefined) return processor.refusal(404, 'Not found');
        return keyError(processor, accountOf(call)) ?? jsonAnswer(200, object);
      },
    },
  ];
}

/** The processor's error about a key, or null when the key is valid. */
function keyError(processor: SimProcessor, account: PaymentAccount | undefined): Answer | null {
  if (account === undefined || account.state === 'revoked')
    return processor.refusal(processor.unknownKey.status, processor.unknownKey.message);
  return account.state === 'restricted' ? processor.refusal(403, processor.restrictedMessage) : null;
}

const keyIn = ({ headers }: StoreCall, { keyHeader }: SimProcessor): string =>
  keyHeader === undefined
    ? (/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    : String(headers[keyHeader] ?? '');

/** The routes under `/__sim/<processor>`. */
function controlOf(accounts: PaymentAccounts, objects: Objects, shop: StripeShop | null): Router {
  const router = Router();
  shop?.addControl(router);
  router.post('/accounts', (req, res) => {
    res.status(201).json(shown(accounts.create(readAccount(req.body ?? {}))));
  });
  router.post('/accounts/:accountId/key', (req, res) => {
    const body = fields(req.body ?? {}, 'a state of a key', ['state']);
    accounts.named(req.params.accountId).state = required(body, 'state', oneOf(KEY_STATES));
    res.status(204).end();
  });
  router.put('/objects', (req, res) => {
    const body = fields(req.body ?? {}, 'an object and its path', ['path', 'object']);
    objects.set(required(body, 'path', text), body['object']);
    res.status(204).end();
  });
  return router;
}

function readAccount(body: unknown): PaymentAccountOptions {
  const from = fields(body, 'an account', OPTION_NAMES);
  return Object.fromEntries(OPTION_NAMES.map((name) => [name, optional(from, name, text)]));
}

const shown = ({ accountId, apiKey, webhookSecret, email }: PaymentAccount) => ({
  accountId,
  email,
  credentials: { webhookSecret, apiKey },
});
