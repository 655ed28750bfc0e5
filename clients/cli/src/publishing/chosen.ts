import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { findExtension, type Extension } from './extensions.js';
import { chooseTarget, listTargets, type Target } from './targets.js';

/** An extension and some of its targets. */
export interface Chosen {
  readonly service: Service;
  readonly extension: Extension;
  readonly targets: readonly Target[];
}

/**
 * The targets that a command is about: those that are named, or all that are enabled.
 * @throws Failure when an extension or a target is not found
 */
export async function chosenTargets(
  context: Context,
  extensionName: string | undefined,
  named: readonly string[],
): Promise<Chosen> {
  const service = await context.service();
  const extension = await findExtension(service, extensionName, await context.project());
  const all = await listTargets(service, extension.id);
  const targets =
    named.length === 0 ? all.filter(({ enabled }) => enabled) : named.map((name) => chooseTarget(all, name));
  return { service, extension, targets: [...new Set(targets)] };
}

/** Parameters by which a request names a target. */
export const pathOf = ({ id: targetId, extensionId: id }: Target): { id: string; targetId: string } => ({
  id,
  targetId,
});
