import { sentenceInOptions } from '../api/in-options.js';
import { answer, type Schema, type Service } from '../api/service.js';

/** A store's answer about a target's item. */
export interface ItemCheck {
  /** The store answered, and knows the item as the credential's. */
  readonly isAccepted: boolean;
  /** Pierhead's next step with its reason, or the reason of the store's refusal. */
  readonly because: string;
}

const isRefusal = ({ step, phase }: Schema<'PlannedTarget'>): boolean =>
  step === 'ask_human' || phase === 'backing_off' || phase === 'incomplete';

/** Asks the store about a target's item. Changes nothing. */
export async function checkItem(service: Service, extensionId: string, targetId: string): Promise<ItemCheck> {
  const params = { path: { id: extensionId } };
  const { targets } = await answer(service.client.GET('/api/v1/extensions/{id}/next-steps', { params }));
  const planned = targets.filter((each) => each.targetId === targetId);
  const refused = planned.find(isRefusal);
  return { isAccepted: refused === undefined, because: sentenceInOptions((refused ?? planned[0])?.because ?? '') };
}
