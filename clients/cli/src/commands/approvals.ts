import { Command } from 'commander';
import { answer, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure } from '../failure.js';
import { asPerson } from '../logging-in/as-person.js';
import { findApproval, linesOf, listApprovals, pageOf, stateOf, type Approval } from '../publishing/approvals.js';
import { needText } from '../publishing/totals.js';
import { findExtension, listExtensions } from '../publishing/extensions.js';
import { linked, type Style } from '../terminal/style.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
  readonly decided?: true;
}

/** Lists versions that wait for another person. */
export const approvalsCommand = (): Command =>
  withExamples(
    new Command('approvals')
      .description('List the versions that wait for the approval of another person.')
      .option(...EXTENSION)
      .option('--decided', 'those that were approved or rejected')
      .action(action(list)),
    'pierhead approvals',
    'pierhead approvals --decided --extension "Tab Counter"',
  );

async function list(context: Context, { extension, decided }: Options): Promise<void> {
  const service = await context.service();
  const only =
    extension === undefined ? {} : { extension: (await findExtension(service, extension, await context.project())).id };
  const [items, extensions] = await Promise.all([
    listApprovals(service, { ...only, ...(decided ? { state: 'decided' } : {}) }),
    listExtensions(service),
  ]);
  const names = new Map(extensions.map(({ id, name }) => [id, name]));
  const { terminal } = context;
  const yours = items.filter(({ isYours }) => isYours).length;
  if (yours > 0 && !terminal.json) terminal.note(needText(yours, terminal.noteStyle));
  const inOrder = items.toSorted((one, other) => Number(other.isYours) - Number(one.isYours));
  terminal.result({ items }, () =>
    items.length === 0
      ? decided
        ? 'Nothing was decided yet.'
        : 'No version waits for an approval.'
      : inOrder.map((one) => shown(service, one, terminal.style, names.get(one.extensionId))).join('\n\n'),
  );
}

const shown = (service: Service, approval: Approval, style: Style, name = 'Extension'): string =>
  [
    `${name} ${approval.version}   ${stateOf(approval)}`,
    ...[...linesOf(approval), linked(style, pageOf(service, approval))].map((line) => `  ${line}`),
    ...(approval.isYours ? [`  pierhead approve ${approval.id}`] : []),
  ].join('\n');

interface Confirmed {
  readonly yes?: true;
}

/** Lets a version that another person pushed be sent. */
export const approveCommand = (): Command =>
  withExamples(
    new Command('approve')
      .description('Approve a version that another person or CI pushed. Needs a log-in.')
      .argument('<approval>', 'id of the approval, or the version')
      .option('-y, --yes', 'approve without confirmation')
      .action(action(approve)),
    'pierhead approve 1.4.0',
  );

async function approve(context: Context, named: string, { yes }: Confirmed): Promise<void> {
  const { terminal, ask } = context;
  const service = await asPerson(context, 'approve a version');
  const approval = await findApproval(service, named);
  const { id, version } = approval;
  for (const line of [...linesOf(approval), pageOf(service, approval)]) terminal.note(line);
  if (!yes && !(await ask.confirm(`Approve ${version}?`, '--yes'))) throw new Failure('Nothing was changed.');
  const params = { path: { id } };
  const approved = await answer(
    service.client.POST('/api/v1/approvals/{id}/approve', { params, fetch: service.repeatedly }),
  );
  terminal.result(approved, () => `${version} goes to its stores. Follow it with: pierhead watch`);
}

/** Keeps a version that another person pushed from being sent. */
export const rejectCommand = (): Command =>
  withExamples(
    new Command('reject')
      .description('Reject a version that another person or CI pushed. Needs a log-in.')
      .argument('<approval>', 'id of the approval, or the version')
      .requiredOption('--reason <text>', 'why; the pusher is told, and the timeline shows it')
      .action(action(reject)),
    'pierhead reject 1.4.0 --reason "It asks for all sites."',
  );

async function reject(context: Context, named: string, body: { readonly reason: string }): Promise<void> {
  const service = await asPerson(context, 'reject a version');
  const { id, version } = await findApproval(service, named);
  const params = { path: { id } };
  const rejected = await answer(
    service.client.POST('/api/v1/approvals/{id}/reject', { params, body, fetch: service.repeatedly }),
  );
  context.terminal.result(rejected, () => `${version} is not sent. The pusher gets the reason.`);
}
