import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure } from '../failure.js';
import { rendered, type PushedFinding } from '../preflight/findings.js';
import { chosenTargets } from '../publishing/chosen.js';
import { isSameVersion } from '../publishing/goal.js';
import { pinnedFor, type Pinned } from '../publishing/pinned.js';
import { storeName } from '../stores.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
  readonly yes?: true;
}

/** A finding of a pinned version. */
interface Found extends PushedFinding {
  readonly artifactId: string;
  readonly version: string;
}

/** Sends a version although Pierhead expects its store to refuse it. */
export const overrideCommand = (): Command =>
  withExamples(
    new Command('override')
      .description('Show what holds the pinned version, or send it despite a finding.')
      .argument('[finding]', 'id of the finding (default: show all)')
      .option(...EXTENSION)
      .option('-y, --yes', 'override without confirmation')
      .action(action(override)),
    'pierhead override',
    'pierhead override edge-has_key-1f0a77c2',
  );

async function override(context: Context, id: string | undefined, options: Options): Promise<void> {
  const { terminal, ask } = context;
  const { service, extension, targets } = await chosenTargets(context, options.extension, []);
  const pinned = await pinnedFor(service, extension.id, targets);
  const holding = distinct(pinned.filter(isWaiting)).filter(({ holds }) => holds);
  const named = { id: extension.id, name: extension.name };
  if (id === undefined)
    return terminal.result({ extension: named, findings: holding }, () =>
      holding.length === 0
        ? `Nothing that stores refuse holds ${extension.name}.`
        : rendered(holding, terminal.style, (one) => [`    pierhead override ${one.id}`]).join('\n\n'),
    );
  const found = distinct(pinned).find((one) => one.id === id);
  if (found === undefined)
    throw new Failure(`The pinned version has no finding ${id}.`, { hint: 'List them with: pierhead override' });
  const store = storeName(found.store);
  terminal.note(`${store}: ${found.message}`);
  if (!options.yes && !(await ask.confirm(`Send ${found.version} to ${store} anyway?`, '--yes')))
    throw new Failure('Nothing was changed.');
  const finding = await answer(
    service.client.POST('/api/v1/artifacts/{id}/findings/{findingId}/override', {
      params: { path: { id: found.artifactId, findingId: id } },
      fetch: service.repeatedly,
    }),
  );
  const left = holding.filter((one) => one.store === found.store && one.id !== id).length;
  terminal.result({ extension: named, finding }, () =>
    left === 0
      ? `${store} gets ${found.version} all the same. Follow it with: pierhead watch`
      : `Overridden. ${left === 1 ? 'Another finding holds' : `${left} other findings hold`} ${found.version} for ${store}. Show them with: pierhead override`,
  );
}

/** Whether findings can hold the version for the store: it does not have it yet, and the target heeds them. */
const isWaiting = ({ target: { preflight, status } }: Pinned): boolean =>
  preflight === 'hold' &&
  ![status.submittedVersion, status.liveVersion].some((version) => isSameVersion(status.desiredVersion, version));

/** Each finding once, also where a store has two targets. */
const distinct = (pinned: readonly Pinned[]): readonly Found[] => [
  ...new Map(
    pinned.flatMap(({ artifact: { id: artifactId, version }, findings }) =>
      findings.map((finding) => [`${artifactId} ${finding.id}`, { ...finding, artifactId, version }]),
    ),
  ).values(),
];
