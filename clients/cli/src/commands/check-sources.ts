import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { EXIT, type ExitCode, Failure } from '../failure.js';
import type { Difference } from '../package/index.js';
import type { Project } from '../settings/project-file.js';
import { withExamples } from './example.js';

/** The store that receives sources. */
const STORE = 'firefox';
const MARKS = { changed: '≠', missing: '−', added: '+' } as const;
const MAX_SHOWN = 50;

interface Options {
  readonly sources?: string;
}

/** Builds the package from its sources alone, and compares. */
export const checkSourcesCommand = (): Command =>
  withExamples(
    new Command('check-sources')
      .description("Build the package from its sources in an empty folder, as Firefox's reviewers do, and compare.")
      .argument('[package]', 'zip or folder (default: that of pierhead.json, or what the build made)')
      .option('--sources <path>', 'archive or folder of the source code (default: that of pierhead.json)')
      .action(action(check)),
    'pierhead check-sources',
    'pierhead check-sources extension.zip --sources sources.zip',
  );

async function check(context: Context, named: string | undefined, options: Options): Promise<ExitCode> {
  const { terminal, surroundings } = context;
  const project = await context.project(named);
  const { build } = project.settings;
  if (build === undefined)
    throw new Failure('pierhead.json does not say how the sources build the package.', {
      exitCode: EXIT.usage,
      hint: 'Example: "build": { "commands": ["npm ci", "npm run build"], "output": "dist" }',
    });
  const { path, sources } = await chosen(project, surroundings.cwd, named, options.sources);
  terminal.note(`Building ${sources} in an empty folder…`);
  const { checkSources } = await import('../package/index.js');
  const { ignoreFilesOf } = await import('../settings/web-ext-config.js');
  const differences = await checkSources(
    path,
    { sources, ...build },
    {
      env: surroundings.env,
      signal: surroundings.signal,
      onCommand: (command) => terminal.note(`$ ${command}`),
      onOutput: (line) => terminal.note(line),
    },
    await ignoreFilesOf(project, surroundings.env, path),
  );
  terminal.result({ package: path, sources, differences }, () => rendered(path, differences));
  return differences.length === 0 ? EXIT.done : EXIT.failed;
}

/** Paths of options are relative to where the user is, those of pierhead.json to its folder. */
async function chosen(
  { folder, settings }: Project,
  cwd: string,
  named: string | undefined,
  namedSources: string | undefined,
): Promise<{ path: string; sources: string }> {
  const { findBuild, packageFor } = await import('../package/index.js');
  const ofProject = typeof settings.package === 'string' ? settings.package : settings.package?.[STORE];
  const build = await findBuild(named === undefined ? resolve(folder, ofProject ?? '') : resolve(cwd, named));
  const path = packageFor(build, STORE)?.path;
  if (path === undefined)
    throw new Failure('The build made no package for Firefox.', { hint: 'Name a zip or folder.' });
  const sources =
    namedSources === undefined
      ? settings.sources === undefined
        ? build.sources
        : resolve(folder, settings.sources)
      : resolve(cwd, namedSources);
  if (sources === null)
    throw new Failure('There are no sources to build.', {
      exitCode: EXIT.usage,
      hint: 'Name them with --sources, or as "sources" in pierhead.json; "." is the project itself.',
    });
  return { path, sources };
}

function rendered(path: string, differences: readonly Difference[]): string {
  if (differences.length === 0) return `The sources build ${path} exactly.`;
  const shown = differences.slice(0, MAX_SHOWN).map((each) => `  ${MARKS[each.how]} ${each.path}  ${each.how}`);
  const more = differences.length - shown.length;
  return [
    `The sources build something else than ${path}: ${differences.length} ${differences.length === 1 ? 'file differs' : 'files differ'}.`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}
