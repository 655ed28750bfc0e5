import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { answer } from '../api/service.js';
import { withSecondFactor } from '../connecting/index.js';
import { action, type Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { intoPrivateFile } from '../licensing/private-file.js';
import {
  crxStartOf,
  InvalidSigningKey,
  newSigningKey,
  privatePemOf,
  publicPemOf,
  signingKeyOf,
} from '../preflight/rules.js';
import { chosenTargets, pathOf } from '../publishing/chosen.js';
import { storesThat } from '../stores.js';
import { confirmed } from '../terminal/confirmed.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

const PASTE =
  'Paste the public key in the Chrome Developer Dashboard: the item, Package, Verified uploads. From then on Chrome takes only packages signed with it.';

interface OfExtension {
  readonly extension?: string;
}

/** Keys that sign packages for the Chrome Web Store. */
export const keyCommand = (): Command =>
  [make, sign, keep, show, remove].reduce(
    (group, subcommand) => group.addCommand(subcommand()),
    withExamples(
      new Command('key').description("Make and keep the key of Chrome's Verified CRX Uploads, and sign with it."),
      'pierhead key keep',
      'pierhead key new signing-key.pem',
    ),
  );

const make = (): Command =>
  withExamples(
    new Command('new')
      .description('Make a signing key in a new file, and print its public part. Needs no service.')
      .argument('<file>', 'file for the private key, which only you can read')
      .action(action(makeKey)),
    'pierhead key new signing-key.pem > public-key.pem',
  );

async function makeKey(context: Context, file: string): Promise<void> {
  const key = await intoPrivateFile(context.surroundings, file, newSigningKey, privatePemOf);
  context.terminal.note(`The private key is in ${file}. Keep it secret, and a copy of it. ${PASTE}`);
  context.terminal.result({ publicKey: publicPemOf(key) }, ({ publicKey }) => publicKey.trimEnd());
}

interface SignOptions {
  readonly key: string;
  readonly out?: string;
}

const sign = (): Command =>
  withExamples(
    new Command('sign')
      .description('Sign a zip for Chrome, where an item takes only signed packages. Needs no service.')
      .argument('<zip>', 'the package')
      .requiredOption('--key <file>', 'private key in PEM; - for standard input')
      .option('--out <file>', 'the signed package (default: beside the zip, with .crx)')
      .action(action(signZip)),
    'pierhead key sign extension.zip --key - <<< "$SIGNING_KEY"',
    'pierhead push extension.crx',
  );

async function signZip(context: Context, zip: string, { key, out }: SignOptions): Promise<void> {
  const { terminal, surroundings } = context;
  const named = out ?? `${zip.replace(/\.zip$/i, '')}.crx`;
  const signingKey = keyIn(await context.text(key));
  const content = await context.bytes(zip);
  if (content.toString('latin1', 0, 2) !== 'PK') throw usageFailure(`${zip} is not a zip.`);
  const start = await crxStartOf(piecesOf(content), signingKey);
  await writeFile(resolve(surroundings.cwd, named), Buffer.concat([start, content])).catch((error: Error) => {
    throw new Failure(`${named} cannot be written: ${error.message}`);
  });
  terminal.result(
    { package: named, publicKey: publicPemOf(signingKey) },
    () => `Signed ${named}. Push it with: pierhead push ${named}`,
  );
}

const keep = (): Command =>
  withExamples(
    new Command('keep')
      .description('Have the service make a signing key, or keep yours encrypted, and sign what it sends to Chrome.')
      .option(...EXTENSION)
      .option('--key <file>', 'private key in PEM; - for standard input (default: the service makes one)')
      .action(action(keepKey)),
    'pierhead key keep',
    'pierhead key keep --key signing-key.pem',
  );

async function keepKey(context: Context, { extension, key }: OfExtension & { readonly key?: string }): Promise<void> {
  const privateKey = key === undefined ? undefined : privatePemOf(keyIn(await context.text(key)));
  const { service, path } = await signedTarget(context, extension);
  const kept = await withSecondFactor(context, service, () =>
    answer(
      service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/signing-key', {
        params: { path },
        body: privateKey === undefined ? {} : { privateKey },
      }),
    ),
  );
  context.terminal.note(
    key === undefined ? PASTE : 'The service signs what it sends to Chrome, once Chrome asks for it.',
  );
  context.terminal.result(kept, ({ publicKey }) => publicKey.trimEnd());
}

const show = (): Command =>
  withExamples(
    new Command('show')
      .description('Print the public part of the key that the service keeps.')
      .option(...EXTENSION)
      .action(action(showKey)),
    'pierhead key show > public-key.pem',
  );

async function showKey(context: Context, { extension }: OfExtension): Promise<void> {
  const { service, path } = await signedTarget(context, extension);
  const params = { path };
  const kept = await answer(service.client.GET('/api/v1/extensions/{id}/targets/{targetId}/signing-key', { params }));
  context.terminal.result(kept, ({ publicKey }) => publicKey.trimEnd());
}

const remove = (): Command =>
  withExamples(
    new Command('delete')
      .description('Delete the key that the service keeps, for ever. Chrome still expects its signatures.')
      .option(...EXTENSION)
      .option('-y, --yes', 'delete without confirmation')
      .action(action(deleteKey)),
    'pierhead key delete',
  );

async function deleteKey(context: Context, { extension, yes }: OfExtension & { readonly yes?: true }): Promise<void> {
  const { service, path, name } = await signedTarget(context, extension);
  if (yes !== true)
    await confirmed(context, { what: 'Nobody can bring the key back.', name, called: "the extension's name" });
  await withSecondFactor(context, service, () =>
    answer(service.client.DELETE('/api/v1/extensions/{id}/targets/{targetId}/signing-key', { params: { path } })),
  );
  context.terminal.result({ deleted: true }, () => `The signing key of ${name} is deleted.`);
}

/** The target of an extension at the store that takes signed packages. */
async function signedTarget(context: Context, named: string | undefined) {
  const [store = ''] = storesThat('signedPackages');
  const { service, extension, targets } = await chosenTargets(context, named, [store]);
  const [target] = targets;
  if (target === undefined) throw new Failure(`${extension.name} has no target at Chrome.`);
  return { service, name: extension.name, path: pathOf(target) };
}

/** @throws Failure that says why it cannot sign */
function keyIn(pem: string) {
  try {
    return signingKeyOf(pem.trim());
  } catch (error) {
    if (!(error instanceof InvalidSigningKey)) throw error;
    throw usageFailure(`The key cannot be used. ${error.message}`, 'Make one with: pierhead key new <file>');
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
