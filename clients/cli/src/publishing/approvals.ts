import { answer, everything, isId, type Schema, type Service } from '../api/service.js';
import type { Context } from '../context.js';
import { Failure } from '../failure.js';
import { storeName } from '../stores.js';
import { isSameVersion } from './goal.js';

export type Approval = Schema<'Approval'>;

/** Lists the versions that wait for an approval, or those that were decided, newest first. */
export const listApprovals = (
  service: Service,
  { extension, state }: { readonly extension?: string; readonly state?: 'waiting' | 'decided' },
): Promise<readonly Approval[]> =>
  everything((page) =>
    service.client.GET('/api/v1/approvals', {
      params: {
        query: {
          ...page,
          ...(extension === undefined ? {} : { extension }),
          ...(state === undefined ? {} : { state }),
        },
      },
    }),
  );

/** The approval that is meant: by its id, or by the version, if one of it waits. @throws Failure when none or several could be meant */
export async function findApproval(service: Service, named: string): Promise<Approval> {
  if (isId(named)) return answer(service.client.GET('/api/v1/approvals/{id}', { params: { path: { id: named } } }));
  const waiting = await listApprovals(service, {});
  const found = waiting.filter(
    ({ version }) => version === named || (/^[\d.]+$/.test(named) && isSameVersion(version, named)),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new Failure(
    only === undefined
      ? `No version ${named} waits for an approval.`
      : `Several approvals of ${named} wait. Name one by its id.`,
    { hint: 'List them with: pierhead approvals' },
  );
}

/** Says that another person has to approve what was pushed, where that is so and the token may read it. */
export async function noteWaiting(
  { terminal }: Pick<Context, 'terminal'>,
  service: Service,
  sent: readonly { readonly artifact: Pick<Schema<'Artifact'>, 'id' | 'extensionId'> }[],
): Promise<void> {
  const ids = new Set(sent.map(({ artifact }) => artifact.id));
  for (const extension of new Set(sent.map(({ artifact }) => artifact.extensionId)))
    for (const approval of await listApprovals(service, { extension }).catch(() => []))
      if (ids.has(approval.artifactId))
        terminal.note(`${approval.version} waits for the approval of another person: ${pageOf(service, approval)}`);
}

/** The page of an approval in the console. */
export const pageOf = (service: Service, { id }: Pick<Approval, 'id'>): string => `${service.url}/approvals/${id}`;

const ACTS: Readonly<Record<Approval['act'], string>> = {
  push: 'pushed',
  pin: 'pinned again',
  rollback: 'rolled back',
  resubmit: 'resubmitted',
  enable: 'for a target that was enabled',
};

/** What waits, and where it comes from, in a few lines. Pure. */
export function linesOf({
  act,
  store,
  sha256,
  rollbackOf,
  requestedBy,
  requestedFrom,
  commit,
}: Approval): readonly string[] {
  return [
    `${ACTS[act]} by ${requestedBy ?? 'somebody'}, for ${store === null ? 'every store' : storeName(store)}`,
    ...line('brings back', rollbackOf),
    ...line('sha256', sha256),
    ...(requestedFrom === null ? [] : linesOfJob(requestedFrom)),
    ...(commit === requestedFrom?.commit ? [] : line('commit', commit, ', named by the push')),
  ];
}

const linesOfJob = ({
  repository,
  ref,
  commit,
  commitUrl,
  workflow,
  runUrl,
}: Schema<'CiOriginView'>): readonly string[] => [
  ...line('commit', commitUrl ?? commit, ', as its CI service has signed'),
  `repository ${repository}, ${ref ?? 'without a ref'}`,
  ...line('workflow', workflow),
  ...line('run', runUrl),
];

const line = (name: string, value: string | null, rest = ''): readonly string[] =>
  value === null ? [] : [`${name} ${value}${rest}`];

/** Who decided and how, or that it waits. Pure. */
export function stateOf({ state, decidedBy, reason, isYours }: Approval): string {
  if (state === 'waiting') return isYours ? 'waits for you' : 'waits for another person';
  return `${state}${decidedBy === null ? '' : ` by ${decidedBy}`}${reason === null ? '' : `: ${reason}`}`;
}
