import type { CiOrigin } from '../../../common/access/index.js';

/** A run, according to the CI service that made a token for it. */
export interface CiRun {
  readonly issuer: string;
  /** Owner and name, in lower case: no two repositories of GitHub or GitLab differ only in case. */
  readonly repository: string;
  /** Numbers that no other repository or owner ever gets, whatever it is called; null where the issuer has none. */
  readonly repositoryId: string | null;
  readonly ownerId: string | null;
  /** In full, such as `refs/heads/main`; null when the issuer names none. */
  readonly ref: string | null;
  /** The deployment environment of the job. */
  readonly environment: string | null;
  /** The event that started the run, such as `push`. */
  readonly event: string | null;
  /** Whether the claims are those of GitLab. */
  readonly isGitLab: boolean;
  readonly runId: string | null;
  /** The full hash of the commit. */
  readonly commit: string | null;
  /** The file that says what the run does, such as `acme/tab-counter/.github/workflows/release.yml@refs/heads/main`. */
  readonly workflow: string | null;
}

/**
 * Events that only people who may write to the repository can cause. Pull requests of strangers, comments, and runs that follow other runs
 * can have the default branch as their ref too: GitHub names the target's branch, and GitLab one of the stranger's own choice.
 */
const TRUSTED_EVENTS: ReadonlySet<string> = new Set([
  // GitHub
  'push',
  'create',
  'release',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  // GitLab
  'web',
  'api',
  'trigger',
]);

/** Reads the claims of GitHub Actions, of services that copy them, and of GitLab; null when no repository is named. Pure. */
export function runOf(issuer: string, claims: Readonly<Record<string, unknown>>): CiRun | null {
  const text = (name: string): string | null => {
    const value = claims[name];
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    return typeof value === 'string' && value !== '' && value.length <= MAX_CLAIM ? value : null;
  };
  const gitHub = text('repository');
  const repository = gitHub ?? text('project_path');
  // Lower case turns other letters, such as the Kelvin sign, into those of ASCII.
  if (repository === null || !/^[!-~]+$/.test(repository)) return null;
  const names = gitHub === null ? GITLAB : GITHUB;
  return {
    issuer,
    repository: repository.toLowerCase(),
    repositoryId: text(names.repositoryId),
    ownerId: text(names.ownerId),
    ref: text(names.ref),
    environment: text('environment'),
    event: text(names.event),
    isGitLab: gitHub === null,
    runId: text(names.runId),
    commit: text('sha'),
    workflow: text(names.workflow),
  };
}

/** Longer claims are read as absent. */
const MAX_CLAIM = 255;

const GITHUB = {
  repositoryId: 'repository_id',
  ownerId: 'repository_owner_id',
  ref: 'ref',
  event: 'event_name',
  runId: 'run_id',
  workflow: 'workflow_ref',
} as const;

/** GitLab's `ref` does not say whether it is a branch or a tag. */
const GITLAB = {
  repositoryId: 'project_id',
  ownerId: 'namespace_id',
  ref: 'ref_path',
  event: 'pipeline_source',
  runId: 'pipeline_id',
  workflow: 'ci_config_ref_uri',
} as const;

const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com';

/**
 * Returns where a run comes from, with the pages about it. A GitHub server of one's own is its own issuer below `/_services/token`, and a GitLab
 * server is its own issuer. Pure.
 * https://docs.github.com/en/actions/reference/security/oidc, https://docs.gitlab.com/ci/secrets/id_token_authentication/
 */
export function originOf({ issuer, repository, ref, commit, workflow, runId, isGitLab }: CiRun): CiOrigin {
  const gitHub = issuer === GITHUB_ISSUER ? 'https://github.com' : /^(https:.*)\/_services\/token$/.exec(issuer)?.[1];
  const server = isGitLab ? issuer : gitHub;
  const page = (path: string, id: string | null): string | null =>
    server === undefined || id === null
      ? null
      : `${server}/${repository}/${isGitLab ? '-/' : ''}${path}/${encodeURIComponent(id)}`;
  const runUrl = page(isGitLab ? 'pipelines' : 'actions/runs', runId);
  return { repository, ref, commit, workflow, runUrl, commitUrl: page('commit', commit) };
}

/** Whether strangers can cause no run of this kind. */
export const isTrustedEvent = ({ event }: Pick<CiRun, 'event'>): boolean => event !== null && TRUSTED_EVENTS.has(event);
