import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { answer, everything, type Schema, type Service } from '../api/service.js';
import type { Context } from '../context.js';
import { asFailure, Failure, usageFailure } from '../failure.js';
import type { Extension } from '../publishing/extensions.js';
import { updateTarget, type Target } from '../publishing/targets.js';
import { storeName } from '../stores.js';
import { droppedPath, formName, nested, valuesInFile, type CredentialForm, type Values } from './credentials.js';
import { readItem, type ItemIds, type StoreDescription } from './item.js';
import { checkItem, type ItemCheck } from './item-check.js';
import { knownOf } from './same-credential.js';
import { withSecondFactor } from './second-factor.js';
import { linked } from '../terminal/style.js';
import { marked } from '../terminal/tones.js';

type Credential = Schema<'Credential'>;

/** Parts of a connection. */
export interface Connection {
  readonly context: Context;
  readonly service: Service;
  readonly extension: Extension;
  readonly target: Target;
  readonly store: StoreDescription;
  /** Firefox's id of the add-on in the manifest; null where it is not known. */
  readonly geckoId: string | null;
}

/** Options of the command that replace answers. */
export interface Given {
  readonly keyFile?: string;
  /** Ids, or URLs, of the item. */
  readonly items?: readonly string[];
  /** Values of fields that are not secret. */
  readonly values?: Values;
}

/** Its name in questions that a flag answers. */
const KEY_FLAG = '--key-file <path>, or --key-file - for standard input';
const ITEM_FLAG = '--item <id or URL>';

/** Codes of refusals that another answer can fix. */
const FIXABLE = new Set(['invalid_request', 'store_rejected_credentials']);

/**
 * Connects one store: shows the steps, takes a key and an item, and has both verified. What was done before it is broken off stays, and is
 * not asked for again.
 * @returns the store's answer about the item
 */
export async function connectStore(connection: Connection, given: Given = {}): Promise<ItemCheck> {
  const { context, store } = connection;
  if (context.terminal.isInteractive) showSteps(connection);
  const named: Record<string, string> = { ...given.values };
  for (const item of given.items ?? []) Object.assign(named, itemOrThrow(store, item));
  const credential = await chooseCredential(connection, given, named);
  context.terminal.note(`  ${marked(context.terminal.noteStyle, 'ok', `Signed in as ${credential.identity}`)}`);
  for (let isFirst = true; ; isFirst = false) {
    const ids = await chooseItem(connection, isFirst ? named : {}, isFirst);
    const check = await tryItem(connection, credential.id, ids);
    if (check.isAccepted) {
      context.terminal.note(
        `  ${marked(context.terminal.noteStyle, 'ok', `${storeName(store.id)} knows the item ${ids['storeItemId']}. ${check.because}`)}`,
      );
      return check;
    }
    const { isInteractive } = context.terminal;
    const advice = `Check that the item is the account's of step ${store.steps.length}, then give its id again`;
    const refusal = new Failure(`${storeName(store.id)}: ${check.because}`, {
      // The question follows automatically.
      hint: isInteractive ? `${advice}.` : `${advice}: pierhead connect ${store.id}`,
    });
    if (!isInteractive) throw refusal;
    context.terminal.fail(refusal);
  }
}

function showSteps({ context: { terminal }, store }: Connection): void {
  const { noteStyle: style } = terminal;
  const lines = store.steps.map(
    ({ number, text, url }) =>
      `  ${number}. ${text}\n     ${linked(style, url, style('cyan', style('underline', url)))}`,
  );
  terminal.note(['', style('bold', store.title), ...lines, ''].join('\n'));
}

/** Without a person to ask, a key is sent only once its item is known. @throws Failure for an id that is missing */
function assertItemIsKnown({ store, target, geckoId }: Connection, named: ItemIds): void {
  for (const { name, title, isRequired } of store.item.fields)
    if (isRequired && named[name] === undefined && likelyId(store, name, target, geckoId) === null)
      throw usageFailure(`The ${title} is missing.`, `Use ${ITEM_FLAG}.`);
}

/** An id that the target has, or that the manifest says. */
const likelyId = (
  store: StoreDescription,
  name: StoreDescription['item']['fields'][number]['name'],
  target: Target,
  geckoId: string | null,
): string | null => (store.capabilities.needsGeckoId ? geckoId : null) ?? target[name];

function itemOrThrow(store: StoreDescription, text: string): ItemIds {
  const named = readItem(store.item, text);
  if (named === null)
    throw usageFailure(`"${text}" is not an item of ${storeName(store.id)}.`, store.item.fields[0]?.how ?? '');
  return named;
}

/** The credential of the target, one that the service has, or a new one, which the store has accepted. */
async function chooseCredential(
  connection: Connection,
  given: Given,
  named: Record<string, string>,
): Promise<Pick<Credential, 'id' | 'identity'>> {
  const { context, service, store, target } = connection;
  if (given.keyFile !== undefined) return saveFile(connection, given.keyFile, named);
  const known = (await credentialsOf(service))
    .filter((credential) => credential.store === store.id)
    .toSorted((one, other) => Number(other.id === target.credentialId) - Number(one.id === target.credentialId));
  const own = known.find(({ id }) => id === target.credentialId);
  const chosen =
    known.length === 0
      ? 'new'
      : await context.ask.choose<Credential | 'new' | 'replace'>('Which key?', KEY_FLAG, [
          ...known.map((credential) => ({ value: credential, label: labelOf(credential) })),
          { value: 'new' as const, label: 'Another key' },
          ...(own === undefined ? [] : [{ value: 'replace' as const, label: `A new key of ${own.identity}` }]),
        ]);
  if (typeof chosen === 'object') return chosen;
  return askForKey(connection, named, chosen === 'replace' ? (own?.id ?? null) : null);
}

const credentialsOf = (service: Service): Promise<Credential[]> =>
  everything((query) => service.client.GET('/api/v1/credentials', { params: { query } }));

const labelOf = ({ label, identity, lastFour }: Credential): string =>
  `${label === null ? '' : `${label}: `}${identity} (…${lastFour})`;

/** Takes a key from a file or standard input, without a question where the file says all. */
async function saveFile(
  connection: Connection,
  path: string,
  named: Record<string, string>,
): Promise<Pick<Credential, 'id' | 'identity'>> {
  const { context, store, target } = connection;
  const text = await context.text(path);
  for (const form of store.credentials.forms) {
    const values = valuesInFile(form, path === '-' ? '' : path, text);
    if (values === null) continue;
    const complete = await completed(connection, form, { ...valuesOf(form, named), ...values }, named);
    if (!context.terminal.isInteractive) assertItemIsKnown(connection, named);
    return save(connection, complete, named, target.credentialId).catch((error: unknown) => {
      const failure = asFailure(error);
      throw FIXABLE.has(failure.code ?? '')
        ? new Failure(labelled(failure.message, form), { ...failure, errors: labelledErrors(failure, form) })
        : error;
    });
  }
  throw usageFailure(
    `${path === '-' ? 'Standard input' : path} is not a key for ${store.title}.`,
    store.steps.find(({ text: step }) => /key|credentials/i.test(step))?.text ?? '',
  );
}

/** Asks for a key until the store accepts one. @param replaces the credential that gets the new secrets; null for a new one */
async function askForKey(
  connection: Connection,
  named: Record<string, string>,
  replaces: string | null,
): Promise<Pick<Credential, 'id' | 'identity'>> {
  const { context, store } = connection;
  const { forms } = store.credentials;
  const form =
    forms.length === 1 || forms[0] === undefined
      ? (forms[0] ?? [])
      : await context.ask.choose<CredentialForm>(
          'Which kind of key do you have?',
          KEY_FLAG,
          forms.map((one) => ({ value: one, label: formName(one, forms) })),
        );
  for (;;) {
    const fromFile = await askForFile(connection, form);
    const values = await completed(connection, form, { ...valuesOf(form, named), ...fromFile }, named);
    try {
      return await save(connection, values, named, replaces);
    } catch (error) {
      const failure = asFailure(error);
      const isDown = failure.code === 'store_unavailable';
      if (!isDown && !FIXABLE.has(failure.code ?? '')) throw error;
      const { requestId } = failure;
      context.terminal.fail(
        new Failure(labelled(failure.message, form), {
          errors: labelledErrors(failure, form),
          hint: isDown ? `${store.title} does not answer.` : 'Follow the steps above again.',
          ...(requestId === undefined ? {} : { requestId }),
        }),
      );
      // The item may be what was wrong.
      for (const name of ['storeItemId', ...Object.keys(valuesOf(form, named))]) delete named[name];
      if (!(await context.ask.confirm('Try again?', KEY_FLAG, true))) throw stopped();
    }
  }
}

/** Replaces the API's name of a field at the start of each of the service's messages by the name of the question. Pure. */
export const labelled = (text: string, form: CredentialForm): string =>
  text.replaceAll(
    /(?<=^|\s)(?:credentials\.)?([\w.]+)(?=:|$)/g,
    (whole, name: string) => form.find((field) => field.name === name)?.title ?? whole,
  );

const labelledErrors = ({ errors }: Failure, form: CredentialForm): Failure['errors'] =>
  errors.map(({ field, message }) => ({ field: labelled(field, form), message: labelled(message, form) }));

const stopped = (): Failure => new Failure('The store is not connected yet.', { code: 'left' });

/** The values of a form among what is known already. */
const valuesOf = (form: CredentialForm, named: ItemIds): Values =>
  Object.fromEntries(Object.entries(named).filter(([name]) => form.some((field) => field.name === name)));

/** Asks for the file that the store lets people download, where it does. */
async function askForFile({ context, store }: Connection, form: CredentialForm): Promise<Values> {
  const file = form.find((field) => field.file !== undefined)?.file;
  if (file === undefined) return {};
  for (;;) {
    const typed = await context.ask.text(`Key file, ${file.name} (drop it here, or type its path)`, KEY_FLAG);
    const path = resolve(context.surroundings.cwd, droppedPath(typed, homedir()));
    const text = await readFile(path, 'utf8').catch((error: unknown) => error as Error);
    const values = typeof text === 'string' ? valuesInFile(form, path, text) : null;
    if (values !== null) return values;
    const why = typeof text === 'string' ? `is not a key file for ${store.title}` : `cannot be read: ${text.message}`;
    context.terminal.tell(`  ${path} ${why}.`);
  }
}

/** Asks for the values of a form that are missing; secrets are not shown. */
async function completed(
  { context, store }: Connection,
  form: CredentialForm,
  known: Values,
  named: Record<string, string>,
): Promise<Values> {
  const values: Record<string, string> = { ...known };
  for (const { name, title, how, isSecret, isRequired } of form) {
    if (values[name] !== undefined || !isRequired) continue;
    if (context.terminal.isInteractive) context.terminal.tell(`  ${how}`);
    if (isSecret) {
      values[name] = (await context.ask.secret(title, KEY_FLAG)).trim();
      continue;
    }
    const typed = await context.ask.text(title, `--set ${name}=…, or ${KEY_FLAG}`);
    const inFile = await valuesOfFile(context, form, typed);
    if (inFile !== null) {
      Object.assign(values, inFile);
      continue;
    }
    const inUrl = /^https?:\/\//i.test(typed) ? readItem(store.item, typed) : null;
    // A dashboard's URL names the item too, which then need not be asked for.
    if (inUrl !== null) Object.assign(named, inUrl);
    values[name] = inUrl?.[name] ?? typed;
  }
  return values;
}

/** The values in a key file that was typed, or dropped, where one of its values was asked for; null where it is no such file. */
async function valuesOfFile({ surroundings }: Context, form: CredentialForm, typed: string): Promise<Values | null> {
  const path = resolve(surroundings.cwd, droppedPath(typed, homedir()));
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : valuesInFile(form, path, text);
}

/** Saves a key, which the service verifies at the store first. One that it has already is verified again, and not saved twice. */
async function save(
  { context, service, store, target }: Connection,
  values: Values,
  named: ItemIds,
  replaces: string | null,
): Promise<Pick<Credential, 'id' | 'identity'>> {
  const credentials = nested(values);
  const id = knownOf(await credentialsOf(service), store.id, credentials).same?.id ?? replaces;
  const storeItemId = named['storeItemId'] ?? target.storeItemId;
  context.terminal.note(`  Asking ${store.title} …`);
  return withSecondFactor(context, service, () =>
    answer(
      id === null
        ? service.client.POST('/api/v1/credentials', {
            body: { store: store.id, credentials, ...(storeItemId !== null && { storeItemId }) },
          })
        : service.client.PATCH('/api/v1/credentials/{id}', {
            params: { path: { id } },
            body: { credentials },
          }),
    ),
  );
}

/** Asks for the ids of the item, as far as they are not known. @param isFirst whether what is known may be right */
async function chooseItem(
  { context, store, target, geckoId }: Connection,
  named: ItemIds,
  isFirst: boolean,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const take = (found: ItemIds): void => {
    for (const { name } of store.item.fields) if (found[name] !== undefined) ids[name] = found[name];
  };
  take(named);
  for (const { name, title, how, isRequired } of store.item.fields) {
    if (ids[name] !== undefined) continue;
    const likely = likelyId(store, name, target, geckoId);
    if (!context.terminal.isInteractive) {
      if (likely !== null) ids[name] = likely;
      continue;
    }
    context.terminal.tell(`  ${how}`);
    const optional = isRequired ? '' : ', or nothing';
    const typed = await context.ask.text(`${title}, or the URL of the item${optional}`, ITEM_FLAG, {
      isOptional: !isRequired,
      ...(isFirst && likely !== null ? { suggestion: likely } : {}),
      validate: (text) => faultOf(store, name, text),
    });
    take(readItem(store.item, typed) ?? {});
  }
  return ids;
}

/** Returns the fault of an answer to the question for an id. Any URL of the item is an answer to the first question. */
function faultOf(store: StoreDescription, name: string, text: string): string | undefined {
  const named = readItem(store.item, text);
  if (named?.[name] !== undefined) return undefined;
  const how = store.item.fields.find((field) => field.name === name)?.how ?? '';
  if (named?.['slug'] !== undefined) return `That names the listing "${named['slug']}". ${how}`;
  return `That does not name it. ${how}`;
}

/** Points the target to the item and checks it at the store; a target whose item is refused keeps its previous settings. */
async function tryItem(connection: Connection, credentialId: string, ids: ItemIds): Promise<ItemCheck> {
  const { service, extension, target } = connection;
  const { storeItemId, crxId, enabled, credentialId: before } = target;
  await updateTarget(service, target, { ...ids, credentialId, enabled: true });
  const check = await checkItem(service, extension.id, target.id);
  if (!check.isAccepted) await updateTarget(service, target, { storeItemId, crxId, credentialId: before, enabled });
  return check;
}
