import { usageFailure } from '../failure.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The variables in which CI services name the commit of a job: GitHub, GitLab, Bitbucket, CircleCI, Buildkite, Jenkins. */
const VARIABLES = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'CIRCLE_SHA1', 'BUILDKITE_COMMIT', 'GIT_COMMIT'];

const isCommit = (text: string | undefined): text is string => text !== undefined && /^[\da-f]{7,64}$/.test(text);

/** The commit of a push: as its option says, or else as the environment of a CI job does; undefined where neither does. Pure. @throws Failure */
export function commitOf(named: string | undefined, env: Env): string | undefined {
  const given = named?.toLowerCase();
  if (given === undefined) return VARIABLES.map((name) => env[name]).find(isCommit);
  if (isCommit(given)) return given;
  throw usageFailure(`${named} is not the hash of a commit.`, 'Example: pierhead push --commit $(git rev-parse HEAD)');
}
