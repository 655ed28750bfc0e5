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
  readonly runId: string | null;
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
    runId: text(names.runId),
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
} as const;

/** GitLab's `ref` does not say whether it is a branch or a tag. */
const GITLAB = {
  repositoryId: 'project_id',
  ownerId: 'namespace_id',
  ref: 'ref_path',
  event: 'pipeline_source',
  runId: 'pipeline_id',
} as const;

/** Whether strangers can cause no run of this kind. */
export const isTrustedEvent = ({ event }: Pick<CiRun, 'event'>): boolean => event !== null && TRUSTED_EVENTS.has(event);
