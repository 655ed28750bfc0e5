import type { Router } from 'express';
import { count, fields, flag, oneOf, optional, text } from '../input.js';
import { type KeyOptions, ROLES } from './keys.js';
import type { SafariWorld } from './world.js';

/** The routes about keys, below those of the App Store. */
export function addKeyRoutes(router: Router, { keys }: SafariWorld): void {
  router.post('/keys', (req, res) => {
    res.status(201).json(keys.create(readKey(req.body ?? {})));
  });
  router.post('/keys/:name/revoke', (req, res) => {
    for (const key of keys.named(req.params.name)) key.publicKey = null;
    res.status(204).end();
  });
  router.patch('/keys/:name', (req, res) => {
    const from = fields(req.body ?? {}, 'a key', ['role', 'agreementsMissing', 'hourlyLimit']);
    const change = {
      role: optional(from, 'role', oneOf(ROLES)),
      agreementsMissing: optional(from, 'agreementsMissing', flag),
      hourlyLimit: optional(from, 'hourlyLimit', count),
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    for (const key of keys.named(req.params.name)) Object.assign(key, given);
    res.status(204).end();
  });
}

/** Reads what a new key is made of. */
export function readKey(body: unknown): KeyOptions {
  const from = fields(body, 'a key', ['issuerId', 'keyId', 'privateKey', 'individual', 'role', 'hourlyLimit']);
  return {
    issuerId: optional(from, 'issuerId', text),
    keyId: optional(from, 'keyId', text),
    privateKey: optional(from, 'privateKey', text),
    individual: optional(from, 'individual', flag),
    role: optional(from, 'role', oneOf(ROLES)),
    hourlyLimit: optional(from, 'hourlyLimit', count),
  };
}
