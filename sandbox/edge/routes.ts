import { Refusal, type Answer } from '../answer.js';
import { readPackage } from '../chrome/package-reader.js';
import { withReceivedFile } from '../chrome/upload-body.js';
import type { KeptPackages } from '../kept-packages.js';
import { FileServer } from '../served-file.js';
import type { StoreCall, StoreRoute, Subject } from '../stand-in.js';
import { readUpdateQueries, updateCheck } from '../update-service.js';
import { acceptedAnswer, detailsAnswer, edgeError, edgeRefusal, operationAnswer } from './answers.js';
import { servedOf, type Failure, type Operation, type Product, type StoredPackage } from './product.js';
import { beginPublish, beginUpload, invalidPackage, passPoll } from './product-machine.js';
import type { EdgeWorld } from './world.js';

const SUBMISSIONS = '/v1/products/(?<itemId>[^/]+)/submissions';
const UPDATES = '/extensionwebstorebase/v1/crx';
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The four calls of the API, and the public page's details (src/stores/README.md#edge-operations,
 * src/stores/README.md#edge-public-page).
 */
export function edgeRoutes(world: EdgeWorld, scratch: string, kept: KeptPackages): StoreRoute[] {
  return [
    uploadRoute(world, scratch, kept),
    statusRoute(world, 'upload', new RegExp(`^${SUBMISSIONS}/draft/package/operations/(?<operationId>[^/]+)$`)),
    publishRoute(world),
    statusRoute(world, 'publish', new RegExp(`^${SUBMISSIONS}/operations/(?<operationId>[^/]+)$`)),
    {
      operation: 'details',
      method: 'GET',
      path: /^\/addons\/getproductdetailsbycrxid\/(?<crxId>[^/]+)$/,
      body: 'buffer',
      subject: ({ params }) => ({ itemId: world.byCrxId(params.crxId ?? '')?.productId }),
      handle: ({ params }) => detailsAnswer(world.byCrxId(params.crxId ?? '')),
    },
    ...updateRoutes(world, new FileServer(kept, `https://edge.microsoft.com${UPDATES}`)),
    {
      operation: 'unknown',
      method: '*',
      path: /^\/(v1\/products|addons|extensionwebstorebase)(\/|$)/,
      body: 'stream',
      handle: () => edgeError(404),
    },
  ];
}

/** The update service, and the files that it names (src/stores/README.md#edge-update-check). */
function updateRoutes(world: EdgeWorld, files: FileServer): StoreRoute[] {
  const find = (crxId: string) => servedOf(world.byCrxId(crxId));
  const subject = (crxId: string | undefined): Subject => ({ itemId: world.byCrxId(crxId ?? '')?.productId });
  return [
    {
      operation: 'updateCheck',
      method: 'GET',
      path: new RegExp(`^${UPDATES}$`),
      body: 'buffer',
      subject: ({ url }) => subject(readUpdateQueries(url)[0]?.itemId),
      handle: ({ url, headers }) => {
        const folder = `http://${headers.host ?? '127.0.0.1'}/extensionwebstorebase/files`;
        // The real service answers nothing without an installed version.
        const queries = readUpdateQueries(url).filter(({ version }) => version !== null);
        return updateCheck(queries, { find, files, folder });
      },
    },
    {
      operation: 'download',
      method: 'GET',
      path: /^\/extensionwebstorebase\/files\/(?<crxId>[a-p]{32})_[\d.]+\.crx$/,
      body: 'buffer',
      subject: ({ params }) => subject(params.crxId),
      handle: ({ params }) => files.answer(find(params.crxId ?? '')),
    },
  ];
}

function uploadRoute(world: EdgeWorld, scratch: string, kept: KeptPackages): StoreRoute {
  return {
    operation: 'upload',
    method: 'POST',
    path: new RegExp(`^${SUBMISSIONS}/draft/package$`),
    body: 'stream',
    subject: subjectOf,
    handle: async (call) => {
      const { productId } = authorize(world, call);
      if (!/^application\/zip\b/i.test(call.headers['content-type'] ?? '')) {
        throw edgeRefusal(400, 'The content type must be application/zip.');
      }
      const received = await withReceivedFile(call, scratch, async ({ path, size, sha256 }) => {
        if (size === 0) throw edgeRefusal(400, 'No package was sent.');
        await kept.keep(path, { size, sha256 });
        return readOffered(path, size, sha256);
      });
      // Read again after the wait, because other calls may have changed the product in the meantime.
      const { product, operationId } = beginUpload(requireProduct(world, productId), received, world.now());
      world.save(product);
      return acceptedAnswer(operationId);
    },
  };
}

function publishRoute(world: EdgeWorld): StoreRoute {
  return {
    operation: 'publish',
    method: 'POST',
    path: new RegExp(`^${SUBMISSIONS}$`),
    body: 'buffer',
    subject: subjectOf,
    visibleBody: ({ body }) => body.toString('utf8'),
    handle: (call) => {
      const draft = authorize(world, call);
      if (draft.conflictsInReview && draft.review !== null) throw edgeRefusal(409);
      const { product, operationId } = beginPublish(draft, notesOf(call.body), world.now());
      world.save(product);
      return acceptedAnswer(operationId);
    },
  };
}

function statusRoute(world: EdgeWorld, of: Operation['of'], path: RegExp): StoreRoute {
  return {
    operation: `${of}Status`,
    method: 'GET',
    path,
    body: 'buffer',
    subject: subjectOf,
    handle: (call): Answer => {
      const { operationId = '' } = call.params;
      const product = world.save(passPoll(authorize(world, call), operationId, world.now()));
      const operation = product.operations.find((one) => one.id === operationId && one.of === of);
      if (operation === undefined) throw edgeRefusal(404);
      return operationAnswer(operation, product);
    },
  };
}

/** The account by the client id in the request. It is not authenticated, which is enough to match faults. */
function subjectOf({ headers, params }: StoreCall): Subject {
  const clientId = headers['x-clientid'];
  return { publisherId: typeof clientId === 'string' ? clientId : undefined, itemId: params.itemId };
}

/**
 * The checks before every call: bearer tokens, client id and key, product and owner
 * (src/stores/README.md#edge-errors).
 */
function authorize(world: EdgeWorld, { headers, params }: StoreCall): Product {
  const authorization = headers.authorization ?? '';
  if (/^Bearer\b/i.test(authorization)) throw edgeRefusal(410);
  const key = /^ApiKey (.+)$/.exec(authorization)?.[1] ?? '';
  const account = world.accounts.admitted(String(headers['x-clientid'] ?? ''), key, world.now());
  if (!account) throw edgeRefusal(401);
  const { itemId = '' } = params;
  const product = GUID.test(itemId) ? world.product(itemId) : undefined;
  if (product?.clientId !== account.clientId) throw edgeRefusal(404);
  return product;
}

function requireProduct(world: EdgeWorld, productId: string): Product {
  const product = world.product(productId);
  if (!product) throw edgeRefusal(404);
  return product;
}

/** Reads what was sent; a file that is no package fails later, as an operation. */
async function readOffered(path: string, size: number, sha256: string): Promise<StoredPackage | Failure> {
  try {
    const { version } = await readPackage(path, size);
    return { version, sha256, size };
  } catch (error) {
    if (error instanceof Refusal) return invalidPackage('The package is not a valid zip file with a manifest.json.');
    throw error;
  }
}

/** Anything is accepted, and only well-formed notes are kept (src/stores/README.md#edge-operations). */
function notesOf(body: Buffer): string | null {
  try {
    const { notes } = JSON.parse(body.toString('utf8')) as { readonly notes?: unknown };
    return typeof notes === 'string' ? notes : null;
  } catch {
    return null;
  }
}
