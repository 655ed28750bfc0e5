import { Command } from 'commander';
import { answer, type Schema, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { Failure } from '../failure.js';
import { linesOfChanges } from '../publishing/changes.js';
import { findExtension } from '../publishing/extensions.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';

interface Options {
  readonly extension?: string;
  readonly since?: string;
}

type Artifact = Schema<'Artifact'>;

/** Shows what changed in the packages between two versions. */
export const diffCommand = (): Command =>
  withExamples(
    new Command('diff')
      .description('Show what changed in a version: manifest, permissions, sites and files.')
      .argument('[version]', 'the version (default: the one that was pinned last)')
      .option(
        '--since <version>',
        'an earlier version (default: the highest one below it that is live, or else that was pushed)',
      )
      .option(...EXTENSION)
      .action(action(diff)),
    'pierhead diff',
    'pierhead diff 1.4.0 --since 1.3.0',
  );

async function diff(context: Context, version: string | undefined, options: Options): Promise<void> {
  const service = await context.service();
  const { id: extension, name } = await findExtension(service, options.extension, await context.project());
  const { artifacts } = await answer(service.client.GET('/api/v1/artifacts', { params: { query: { extension } } }));
  const [newest] = artifacts;
  const artifact = version === undefined ? newest : pushed(artifacts, version);
  if (artifact === undefined)
    throw new Failure(`${name} has no version yet.`, { hint: 'Push one with: pierhead push' });
  const since = options.since === undefined ? undefined : pushed(artifacts, options.since).id;
  const compared = await changesOf(service, artifact.id, since);
  context.terminal.result(compared, () => textOf(compared));
}

/** Reads the changes in an artifact. @param since another one; when absent, the highest one below it that is live, or else that was pushed */
export const changesOf = (service: Service, id: string, since?: string): Promise<Schema<'ArtifactChanges'>> =>
  answer(
    service.client.GET('/api/v1/artifacts/{id}/changes', {
      params: { path: { id }, query: since === undefined ? {} : { since } },
    }),
  );

/** A version without the zeros at its end: 1.2 and 1.2.0 are one version. */
const significant = (version: string): string => version.replace(/(?:\.0+)+$/, '');

function pushed(artifacts: readonly Artifact[], version: string): Artifact {
  const found = artifacts.find((one) =>
    [one.version, one.storeVersion].some((named) => significant(named) === significant(version)),
  );
  if (found === undefined)
    throw new Failure(`Version ${version} is not among the ${artifacts.length} that were pushed last.`);
  return found;
}

/** The changes under a head that names both versions. Pure. */
export function textOf({ version, since, changes }: Schema<'ArtifactChanges'>): string {
  if (since === null) return `No version below ${version} was pushed.`;
  if (changes === null) return `Pierhead has no packages of both ${since.version} and ${version} to compare.`;
  return [`${version} since ${since.version}:`, ...linesOfChanges(changes).map((line) => `  ${line}`)].join('\n');
}
