import { createHmac, randomUUID } from 'node:crypto';
import type { Answer } from '../answer.js';
import { type Check, flag, InvalidInput, listOf, oneOf, text } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { page, type Shape } from './documents.js';
import { conflict, notFound } from './errors.js';
import { attribute, readDocument, relationship, type Sent } from './requests.js';
import { EVENT_TYPES, type EventType, type Webhook } from './model.js';
import type { SafariRouteBuilder } from './route-builder.js';

/** A request that Apple sends. */
export interface Announcement {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is announced to a webhook that listens for it; with the id of an earlier one it is sent again. */
export function announced(
  webhook: Webhook,
  type: EventType,
  instanceId: string,
  id: string = randomUUID(),
): Announcement {
  const camel = type.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const instance = { data: { type: 'appStoreVersions', id: instanceId } };
  const body = JSON.stringify({ data: { type: camel, id, version: 1, attributes: {}, relationships: { instance } } });
  const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
  return { url: webhook.url, headers: { 'x-apple-signature': `hmacsha256=${signature}` }, body };
}

const httpsUrl: Check<string> = (value, what) => {
  const url = text(value, what);
  if (!/^https:\/\/[^/]/.test(url)) throw new InvalidInput(`"${what}" must be an https URL`);
  return url;
};

const shapeOf = ({ id, name, url, enabled, eventTypes }: Webhook): Shape => ({
  type: 'webhooks',
  id,
  attributes: { name, url, enabled, eventTypes },
  related: {},
});

/** The changes in a document. */
const changesIn = (sent: Sent): Partial<Webhook> =>
  Object.fromEntries(
    Object.entries({
      name: attribute(sent, 'name', text),
      url: attribute(sent, 'url', httpsUrl),
      secret: attribute(sent, 'secret', text),
      enabled: attribute(sent, 'enabled', flag),
      eventTypes: attribute(sent, 'eventTypes', listOf(oneOf(EVENT_TYPES))),
    }).filter(([, value]) => value !== undefined),
  );

/** Webhooks of apps. */
export function webhookRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const { world } = builder;
  const own = /^\/v1\/webhooks\/(?<id>[^/]+)$/;
  const required = (id: string): Webhook => {
    const webhook = world.webhooks.get(id);
    if (!webhook) throw notFound('webhooks', id);
    return webhook;
  };
  return [
    builder.appRoute('webhooks', 'GET', /^\/v1\/apps\/(?<id>[^/]+)\/webhooks$/, 'apps', (call) =>
      page(call, builder.listing(world.webhooksOf(call.app.appId).map(shapeOf), call.app)),
    ),
    builder.route('createWebhook', 'POST', /^\/v1\/webhooks$/, (call, key) => {
      const sent = readDocument(call.body, 'webhooks');
      const app = builder.appOf(key, relationship(sent, 'app'));
      return builder.countingWrites(app, () => {
        const { name, url, secret, enabled, eventTypes } = changesIn(sent);
        for (const [given, value] of Object.entries({ name, url, secret, enabled, eventTypes }))
          if (value === undefined) throw conflict('ENTITY_ERROR.ATTRIBUTE.REQUIRED', `'${given}' is required`);
        const webhook = { id: randomUUID(), appId: app.appId, name, url, secret, enabled, eventTypes } as Webhook;
        world.webhooks.set(webhook.id, webhook);
        return builder.resourceAnswer(call, shapeOf(webhook), 201);
      });
    }),
    builder.appRoute('updateWebhook', 'PATCH', own, 'webhooks', (call): Answer => {
      const webhook = required(call.id);
      Object.assign(webhook, changesIn(readDocument(call.body, 'webhooks', call.id)));
      return builder.resourceAnswer(call, shapeOf(webhook));
    }),
    builder.appRoute('deleteWebhook', 'DELETE', own, 'webhooks', (call): Answer => {
      world.webhooks.delete(required(call.id).id);
      return { status: 204, headers: {}, body: '' };
    }),
  ];
}
