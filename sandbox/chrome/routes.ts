import { type Answer, jsonAnswer, Refusal } from '../answer.js';
import { jsonOrNull } from '../input.js';
import type { KeptPackages } from '../kept-packages.js';
import { FileServer } from '../served-file.js';
import type { StoreCall, StoreRoute } from '../stand-in.js';
import { readUpdateQueries, updateCheck } from '../update-service.js';
import { errorInfo, goneV1, googleNotFoundPage, googleRefusal, unauthenticated } from './errors.js';
import { queryMetrics, ratingSummary } from './figures.js';
import { counted, type Item, itemName, servedOf } from './item.js';
import { assertOpen, cancelSubmission, passUploadPoll, publish, upload, type ReceivedPackage } from './item-machine.js';
import { readPackage } from './package-reader.js';
import { readSignature } from './signed-package.js';
import { readDeployPercentage, readEmpty, readPublish, readRollback } from './requests.js';
import { passReviewPoll } from './review.js';
import { raisePercentage, rollback } from './rollout.js';
import { statusBody } from './status.js';
import { READ_SCOPE, type TokenEndpoint, visibleGrant, WRITE_SCOPE } from './token-endpoint.js';
import { withReceivedFile } from './upload-body.js';
import { fetchReviews } from './user-reviews.js';
import type { ChromeWorld } from './world.js';

const ITEM = 'publishers/(?<publisherId>[^/]+)/items/(?<itemId>[^/:]+)';

type ItemChange = (item: Item, call: StoreCall) => { readonly item: Item; readonly body: unknown };

/**
 * The calls of the Chrome Web Store: token, API v2, the retired v1.1 and the update service
 * (src/stores/README.md#chrome-web-store).
 */
export function chromeRoutes(
  world: ChromeWorld,
  token: TokenEndpoint,
  scratch: string,
  kept: KeptPackages,
): StoreRoute[] {
  const now = (): Date => world.clock.now();
  return [
    {
      operation: 'token',
      method: 'POST',
      path: /^\/(token|oauth2\/v4\/token)$/,
      body: 'buffer',
      subject: (call) => token.subject(call),
      visibleBody: visibleGrant,
      handle: (call) => token.answer(call, now()),
    },
    uploadRoute(world, scratch, kept),
    statusRoute(world),
    readRoute(world, 'queryMetrics', ':queryMetrics', (item, { url }) => queryMetrics(item, url)),
    readRoute(world, 'fetchReviews', ':fetchReviews', (item, { url }) => fetchReviews(itemName(item), item, url)),
    readRoute(world, 'ratingSummary', '/ratingSummary', (item) => ratingSummary(itemName(item), item)),
    writeRoute(world, 'publish', 'publish', (item, call) => {
      const { item: next, state } = publish(item, readPublish(call.body), now());
      const warnings = item.warnings.length > 0 && { warningInfo: { warnings: item.warnings } };
      return { item: next, body: { name: itemName(item), itemId: item.itemId, state, ...warnings } };
    }),
    writeRoute(world, 'cancel', 'cancelSubmission', (item, call) => {
      readEmpty(call.body);
      return { item: cancelSubmission(item), body: {} };
    }),
    writeRoute(world, 'rollout', 'setPublishedDeployPercentage', (item, call) => ({
      item: raisePercentage(item, readDeployPercentage(call.body)),
      body: {},
    })),
    writeRoute(world, 'rollback', 'rollback', (item, call) => ({
      item: rollback(item, readRollback(call.body), now()),
      body: {},
    })),
    ...pathsOutsideV2(world, new FileServer(kept, 'https://clients2.google.com/service/update2/crx')),
  ];
}

function pathsOutsideV2(world: ChromeWorld, files: FileServer): StoreRoute[] {
  const find = (itemId: string) => servedOf(world.item(itemId));
  return [
    {
      operation: 'updateCheck',
      method: 'GET',
      path: /^\/service\/update2\/crx$/,
      body: 'buffer',
      subject: ({ url }) => ({ itemId: readUpdateQueries(url)[0]?.itemId }),
      handle: ({ url, headers }) =>
        updateCheck(readUpdateQueries(url), { find, files, folder: `http://${headers.host ?? '127.0.0.1'}/crx` }),
    },
    {
      operation: 'download',
      method: 'GET',
      path: /^\/crx\/(?<itemId>[a-p]{32})_[\d.]+\.crx$/,
      body: 'buffer',
      handle: ({ params }) => files.answer(find(params.itemId ?? '')),
    },
    {
      operation: 'v1.1',
      method: '*',
      path: /^\/(upload\/)?chromewebstore\/v1(\.1)?\//,
      body: 'stream',
      handle: goneV1,
    },
    {
      operation: 'unknown',
      method: '*',
      path: /^\/(v2\/|upload\/v2\/|token$|oauth2\/|service\/update2\/)/,
      body: 'stream',
      handle: ({ url }) => googleNotFoundPage(url.pathname),
    },
  ];
}

function statusRoute(world: ChromeWorld): StoreRoute {
  return {
    operation: 'fetchStatus',
    method: 'GET',
    path: new RegExp(`^/v2/${ITEM}:fetchStatus$`),
    body: 'buffer',
    handle: changing(world, [WRITE_SCOPE, READ_SCOPE], (item) => {
      const now = world.clock.now();
      const seen = counted(passReviewPoll(passUploadPoll(item), now), 'fetchStatuses');
      return { item: seen, body: statusBody(seen, now) };
    }),
  };
}

function readRoute(
  world: ChromeWorld,
  operation: string,
  ending: string,
  read: (item: Item, call: StoreCall) => unknown,
): StoreRoute {
  return {
    operation,
    method: 'GET',
    path: new RegExp(`^/v2/${ITEM}${ending}$`),
    body: 'buffer',
    handle: changing(world, [WRITE_SCOPE, READ_SCOPE], (item, call) => ({ item, body: read(item, call) })),
  };
}

function uploadRoute(world: ChromeWorld, scratch: string, kept: KeptPackages): StoreRoute {
  return {
    operation: 'upload',
    method: 'POST',
    path: new RegExp(`^/upload/v2/${ITEM}:upload$`),
    body: 'stream',
    handle: (call) => {
      const { itemId } = authorize(world, call, [WRITE_SCOPE]);
      return refusalsCounted(world, itemId, () =>
        withReceivedFile(call, scratch, async (file) => {
          assertOpen(requireItem(world, itemId));
          const manifest = await readPackage(file.path, file.size);
          const signature = await signatureOf(file.path, requireItem(world, itemId));
          const received = { ...file, ...manifest, signature };
          // Read again after the wait, because other calls may have changed the item in the meantime.
          const { item, finished } = upload(requireItem(world, itemId), received, world.clock.now());
          world.save(item);
          await kept.keep(file.path, file);
          const names = { name: itemName(item), itemId };
          return finished
            ? jsonAnswer(200, { ...names, crxVersion: manifest.version, uploadState: 'SUCCEEDED' })
            : jsonAnswer(200, { ...names, uploadState: item.uploadInProgressSpelling });
        }),
      );
    },
  };
}

/** How a package is signed, and whether with the key that the item opted in with. */
async function signatureOf(path: string, { verifiedKey }: Item): Promise<ReceivedPackage['signature']> {
  const signed = await readSignature(path);
  if (signed === null) return null;
  return verifiedKey === null || (await signed.isSignedBy(verifiedKey)) ? 'of_item' : 'of_other_key';
}

function requireItem(world: ChromeWorld, itemId: string): Item {
  const item = world.item(itemId);
  if (!item) throw notFound();
  return item;
}

function writeRoute(world: ChromeWorld, operation: string, verb: string, change: ItemChange): StoreRoute {
  return {
    operation,
    method: 'POST',
    path: new RegExp(`^/v2/${ITEM}:${verb}$`),
    body: 'buffer',
    visibleBody: ({ body }) => jsonOrNull(body),
    handle: changing(world, [WRITE_SCOPE], change),
  };
}

/** A handler that changes the item synchronously, so that concurrent calls do not interleave. */
function changing(
  world: ChromeWorld,
  scopes: readonly string[],
  change: ItemChange,
): (call: StoreCall) => Promise<Answer> {
  return async (call) => {
    const item = authorize(world, call, scopes);
    return refusalsCounted(world, item.itemId, () => {
      const changed = change(item, call);
      world.save(changed.item);
      return jsonAnswer(200, changed.body);
    });
  };
}

async function refusalsCounted(
  world: ChromeWorld,
  itemId: string,
  act: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const item = error instanceof Refusal ? world.item(itemId) : undefined;
    if (item) world.save(counted(item, 'refused'));
    throw error;
  }
}

/**
 * The checks before every item: token, scope, publisher, membership, item, in this order (src/stores/README.md#chrome-errors,
 * src/stores/README.md#chrome-rules).
 */
function authorize(world: ChromeWorld, { headers, params }: StoreCall, scopes: readonly string[]): Item {
  const presented = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (presented === undefined) throw unauthenticated('CREDENTIALS_MISSING');
  const grant = world.tokens.find(presented, world.clock.now());
  if (!grant) throw unauthenticated('ACCESS_TOKEN_EXPIRED');
  if (!scopes.some((scope) => grant.scopes.includes(scope))) {
    throw googleRefusal('PERMISSION_DENIED', 'Request had insufficient authentication scopes.', [
      errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
    ]);
  }
  const { publisherId = '', itemId = '' } = params;
  if (!world.accounts.hasPublisher(publisherId)) throw notFound();
  if (!world.accounts.isAttached(grant.principal, publisherId)) {
    throw googleRefusal('PERMISSION_DENIED', 'The caller does not have permission');
  }
  const item = requireItem(world, itemId);
  if (item.publisherId !== publisherId) throw notFound();
  return item;
}

function notFound(): Refusal {
  return googleRefusal('NOT_FOUND', 'Requested entity was not found.');
}
