import { Command } from 'commander';
import { answer, type Schema, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { linesOfChanges } from '../publishing/changes.js';
import { chosenTargets, pathOf } from '../publishing/chosen.js';
import { targetName, type Target } from '../publishing/targets.js';
import { changesOf } from './diff.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
  readonly reason?: string;
  readonly reasonFile?: string;
  readonly takeBack?: true;
}

/** A version that a store rejected, and what to know about it. */
interface Rejected {
  readonly target: Target;
  readonly version: string;
  readonly release: Schema<'ReleaseTarget'> & { readonly rejection: Schema<'Rejection'> };
  readonly changes: Schema<'ArtifactChanges'>['changes'];
}

/** Shows why stores rejected the pinned version, and the ways on. */
export const rejectedCommand = (): Command =>
  withExamples(
    new Command('rejected')
      .description('Show why a store rejected the pinned version, what changed in it, and the ways on.')
      .argument('[store]', 'where (default: every store that rejected it)')
      .option('--reason <text>', "what the store's mail says, to keep it for your colleagues")
      .option('--reason-file <path>', 'the same from a file; - for standard input')
      .option('--take-back', 'give the version up: pin the one that is live again')
      .option(...EXTENSION)
      .action(action(rejected)),
    'pierhead rejected',
    'pierhead rejected chrome --reason-file mail.txt',
    'pierhead rejected chrome --take-back',
  );

async function rejected(context: Context, store: string | undefined, options: Options): Promise<void> {
  const { reason, reasonFile, takeBack } = options;
  const given = [reason, reasonFile, takeBack].filter((one) => one !== undefined);
  if (given.length > 1) throw usageFailure('Use one of --reason, --reason-file and --take-back.');
  if (given.length > 0 && store === undefined)
    throw usageFailure('Name the store.', 'Example: pierhead rejected chrome');
  const { service, extension, targets } = await chosenTargets(
    context,
    options.extension,
    store === undefined ? [] : [store],
  );
  const found = await rejectedAt(service, extension.id, targets);
  const [first] = found;
  if (first === undefined && given.length > 0) throw new Failure(`No store has rejected the pinned version there.`);
  if (first !== undefined && takeBack) return returnToLive(context, service, first);
  const text = reason ?? (reasonFile === undefined ? undefined : await context.text(reasonFile));
  if (first !== undefined && text !== undefined) return record(context, service, first, text);
  const named = { id: extension.id, name: extension.name };
  const items = found.map(({ target, version, release, changes }) => ({
    target: { id: target.id, store: target.store, dashboard: target.dashboard },
    version,
    refusal: release.refusal,
    rejection: release.rejection,
    changes,
  }));
  context.terminal.result({ extension: named, items }, () =>
    found.length === 0
      ? `No store has rejected the pinned version of ${extension.name}.`
      : found.map(textOf).join('\n\n'),
  );
}

/** The pinned versions that their stores rejected. */
async function rejectedAt(
  service: Service,
  extensionId: string,
  targets: readonly Target[],
): Promise<readonly Rejected[]> {
  const { items } = await answer(
    service.client.GET('/api/v1/extensions/{id}/releases', {
      params: { path: { id: extensionId }, query: { limit: 50 } },
    }),
  );
  const found: Rejected[] = [];
  for (const target of targets) {
    const version = target.status.desiredVersion ?? '';
    const releases = items.find((one) => one.version === version)?.targets ?? [];
    for (const release of releases.filter(({ targetId }) => targetId === target.id)) {
      const { rejection, artifactId } = release;
      if (rejection === null) continue;
      const { live } = rejection;
      const changes = live === null ? null : (await changesOf(service, artifactId, live.artifactId)).changes;
      found.push({ target, version, release: { ...release, rejection }, changes });
    }
  }
  return found;
}

async function record(
  context: Context,
  service: Service,
  { target, version }: Rejected,
  reason: string,
): Promise<void> {
  const recorded = await answer(
    service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/rejection', {
      params: { path: pathOf(target) },
      body: { version, reason },
      fetch: service.repeatedly,
    }),
  );
  context.terminal.result(recorded, () => `Recorded why ${targetName(target)} rejected ${version}.`);
}

async function returnToLive(
  context: Context,
  service: Service,
  { target, version, release: { rejection } }: Rejected,
): Promise<void> {
  const { live } = rejection;
  if (live === null)
    throw new Failure(`Nothing is live at ${targetName(target)} whose package was pushed to Pierhead.`, {
      hint: 'Push a newer version with: pierhead push',
    });
  const pinned = await answer(
    service.client.POST('/api/v1/artifacts/{id}/pin', {
      params: { path: { id: live.artifactId } },
      body: { store: target.store },
      fetch: service.repeatedly,
    }),
  );
  context.terminal.result(
    pinned,
    () => `${targetName(target)} stays at ${live.version}; ${version} was given up there.`,
  );
}

function textOf(one: Rejected): string {
  const { target, version, release, changes } = one;
  const { refusal, rejection } = release;
  const name = targetName(target);
  const { reason, live } = rejection;
  const said = [
    ...(refusal === null ? [] : [refusal]),
    ...(reason === null ? [] : [...reason.text.split(/\r\n?|\n/), `(recorded by ${reason.recordedBy ?? 'Pierhead'})`]),
  ];
  return [
    `${name} rejected ${version}:`,
    ...(said.length === 0 ? ['Its API gives no reason; its mail or dashboard does.'] : said).map((line) => `  ${line}`),
    `  ${target.dashboard}`,
    ...(changes === null || live === null
      ? []
      : [`Since ${live.version}, which is live:`, ...linesOfChanges(changes).map((line) => `  ${line}`)]),
    'Ways on:',
    ...waysOf(one).map((line) => `  ${line}`),
  ].join('\n');
}

function waysOf({ target: { store }, version, release: { state, rejection } }: Rejected): readonly string[] {
  const { waysOn, live, numberFree } = rejection;
  const push = numberFree ? `send a mended package, which may keep the number ${version}` : 'send a newer version';
  return [
    ...(state === 'rejected' ? [`pierhead rejected ${store} --reason-file -    keep what its mail says`] : []),
    ...(waysOn.includes('push') ? [`pierhead push    ${push}`] : []),
    ...(waysOn.includes('resubmit') ? [`pierhead resubmit ${store}    submit it again, unchanged`] : []),
    ...(waysOn.includes('take_back') ? [`pierhead rejected ${store} --take-back    stay at ${live?.version}`] : []),
  ];
}
