import { answer, everything, type Schema, type Service } from '../api/service.js';
import { checkItem } from '../connecting/item-check.js';
import { knownOf } from '../connecting/same-credential.js';
import { withSecondFactor } from '../connecting/second-factor.js';
import type { Context } from '../context.js';
import { asFailure, Failure } from '../failure.js';
import { listTargets, updateTarget, type Target } from '../publishing/targets.js';
import { storeName } from '../stores.js';
import type { StorePlan } from './plan.js';
import { marked } from '../terminal/tones.js';

type Credential = Schema<'Credential'>;

/** Current state of a store in the service. */
export interface Applied {
  readonly store: StorePlan['store'];
  /** Null where there are no credentials to take over. */
  readonly credential: 'created' | 'rotated' | 'unchanged' | null;
  readonly target: 'changed' | 'unchanged';
  /** Whether Pierhead publishes to it from now on; it lacks its item or its credential otherwise. */
  readonly enabled: boolean;
  /** The store's answer about the item; null where it was not asked, because the target is not enabled. */
  readonly because: string | null;
}

/** A store whose part could not be done, and why. */
export interface Refused {
  readonly store: StorePlan['store'];
  readonly failure: Failure;
}

/**
 * Brings plans to the service, store by store, and has each store verify its item; one that is refused does not hinder the others. Running it
 * again changes nothing.
 */
export async function applyPlans(
  context: Context,
  service: Service,
  extensionId: string,
  plans: readonly StorePlan[],
): Promise<readonly (Applied | Refused)[]> {
  const known = await everything<Credential>((query) =>
    service.client.GET('/api/v1/credentials', { params: { query } }),
  );
  const targets = await listTargets(service, extensionId);
  const results: (Applied | Refused)[] = [];
  for (const plan of plans)
    try {
      const saved = await withSecondFactor(context, service, () => saveCredential(service, plan, known));
      results.push(await setTarget(context, service, targetOf(targets, plan), plan, saved));
    } catch (error) {
      const failure = asFailure(error);
      // Nothing of the others would get through either.
      if (failure.code === undefined) throw error;
      results.push({
        store: plan.store,
        failure: new Failure(failure.message, { ...failure, hint: failure.hint ?? remedyAt(plan.store) }),
      });
    }
  return results;
}

interface Saved {
  readonly id: string;
  readonly how: 'created' | 'rotated' | 'unchanged';
}

async function saveCredential(
  { client }: Service,
  plan: StorePlan,
  known: readonly Credential[],
): Promise<Saved | null> {
  const { store, credentials, settings } = plan;
  if (credentials === null) return null;
  const { same, older } = knownOf(known, store, credentials);
  if (same !== undefined) return { id: same.id, how: 'unchanged' };
  if (older !== undefined) {
    const path = { id: older.id };
    await answer(client.PATCH('/api/v1/credentials/{id}', { params: { path }, body: { credentials } }));
    return { id: older.id, how: 'rotated' };
  }
  const { storeItemId } = settings;
  const body = { store, credentials, ...(storeItemId != null && { storeItemId }) };
  const { id } = await answer(client.POST('/api/v1/credentials', { body }));
  return { id, how: 'created' };
}

/** The store's target in the channel that is meant, else the first. */
function targetOf(targets: readonly Target[], { store, settings }: StorePlan): Target {
  const ofStore = targets.filter((each) => each.store === store);
  const target = ofStore.find(({ channel }) => channel === (settings.channel ?? channel)) ?? ofStore[0];
  if (target === undefined) throw new Error(`The extension has no target at ${store}.`);
  return target;
}

/** Changes a target, and asks its store about the item; a target whose item is refused keeps its previous settings. */
async function setTarget(
  context: Context,
  service: Service,
  target: Target,
  { store, settings }: StorePlan,
  saved: Saved | null,
): Promise<Applied | Refused> {
  const item = settings.storeItemId ?? target.storeItemId;
  const enabled = isReady(target, item, saved);
  const wanted = { ...settings, ...(saved === null ? {} : { credentialId: saved.id }), enabled };
  const before: Readonly<Record<string, unknown>> = target;
  const changed = changesOf(before, wanted);
  if (changed.length > 0) await updateTarget(service, target, Object.fromEntries(changed));
  const check = enabled ? await checkItem(service, target.extensionId, target.id) : null;
  if (check?.isAccepted === false) {
    if (changed.length > 0)
      await updateTarget(service, target, Object.fromEntries(changed.map(([name]) => [name, before[name]])));
    return { store, failure: new Failure(check.because, { hint: remedyAt(store) }) };
  }
  const because = check === null ? null : check.because;
  if (because !== null)
    context.terminal.note(
      `  ${marked(context.terminal.noteStyle, 'ok', `${storeName(store)} knows the item ${item}. ${because}`)}`,
    );
  const how = saved === null ? null : saved.how;
  return { store, credential: how, target: changed.length === 0 ? 'unchanged' : 'changed', enabled, because };
}

const remedyAt = (store: StorePlan['store']): string =>
  `Check the key and the item, then connect the store with: pierhead connect ${store}`;

/** Whether Pierhead can publish to a target: it does, or it has its item and its credential now. */
const isReady = ({ enabled, credentialId }: Target, item: string | null, saved: Saved | null): boolean =>
  enabled || (item !== null && (saved !== null || credentialId !== null));

/** The settings that a target does not have yet. */
const changesOf = (
  before: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] =>
  Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
