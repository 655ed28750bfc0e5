import { answer, everything, type Schema, type Service } from '../api/service.js';
import { knownOf } from '../connecting/same-credential.js';
import { withSecondFactor } from '../connecting/second-factor.js';
import type { Context } from '../context.js';
import { asFailure, type Failure } from '../failure.js';
import { listTargets, updateTarget, type Target } from '../publishing/targets.js';
import type { StorePlan } from './plan.js';

type Credential = Schema<'Credential'>;

/** What the service has of a store now. */
export interface Applied {
  readonly store: StorePlan['store'];
  /** Null where there are no credentials to take over. */
  readonly credential: 'created' | 'rotated' | 'unchanged' | null;
  readonly target: 'changed' | 'unchanged';
  /** Whether Pierhead publishes to it from now on; it lacks its item or its credential otherwise. */
  readonly enabled: boolean;
}

/** A store whose part could not be done, and why. */
export interface Refused {
  readonly store: StorePlan['store'];
  readonly failure: Failure;
}

/** Brings plans to the service, store by store; one that is refused does not hinder the others. Running it again changes nothing. */
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
      const target = targetOf(targets, plan);
      results.push({
        store: plan.store,
        credential: saved?.how ?? null,
        ...(await setTarget(service, target, plan, saved?.id)),
      });
    } catch (error) {
      const failure = asFailure(error);
      // Nothing of the others would get through either.
      if (failure.code === undefined) throw error;
      results.push({ store: plan.store, failure });
    }
  return results;
}

async function saveCredential(
  { client }: Service,
  plan: StorePlan,
  known: readonly Credential[],
): Promise<{ readonly id: string; readonly how: 'created' | 'rotated' | 'unchanged' } | null> {
  const { store, credentials } = plan;
  if (credentials === null) return null;
  const { same, older } = knownOf(known, store, credentials);
  if (same !== undefined) return { id: same.id, how: 'unchanged' };
  if (older !== undefined) {
    const path = { id: older.id };
    await answer(client.PATCH('/api/v1/credentials/{id}', { params: { path }, body: { credentials } }));
    return { id: older.id, how: 'rotated' };
  }
  const { id } = await answer(client.POST('/api/v1/credentials', { body: { store, credentials } }));
  return { id, how: 'created' };
}

/** The store's target in the channel that is meant, else the first. */
function targetOf(targets: readonly Target[], { store, settings }: StorePlan): Target {
  const ofStore = targets.filter((each) => each.store === store);
  const target = ofStore.find(({ channel }) => channel === (settings.channel ?? channel)) ?? ofStore[0];
  if (target === undefined) throw new Error(`The extension has no target at ${store}.`);
  return target;
}

async function setTarget(
  service: Service,
  target: Target,
  { settings }: StorePlan,
  credentialId: string | undefined,
): Promise<Pick<Applied, 'target' | 'enabled'>> {
  const item = settings.storeItemId ?? target.storeItemId;
  const credential = credentialId ?? target.credentialId;
  const enabled = target.enabled || (item !== null && credential !== null);
  const wanted = { ...settings, ...(credentialId === undefined ? {} : { credentialId }), enabled };
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(target[name as keyof Target]),
    ),
  );
  if (Object.keys(changes).length === 0) return { target: 'unchanged', enabled };
  await updateTarget(service, target, changes);
  return { target: 'changed', enabled };
}
