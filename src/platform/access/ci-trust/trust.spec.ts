import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { originOf, runOf, type CiRun } from '../ci-tokens/ci-run.js';
import { mismatchOf, type Mismatch, type TrustTerms } from './trust.js';

const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'https://gitlab.com';

const TERMS: TrustTerms = {
  issuer: GITHUB,
  repository: 'acme/tab-counter',
  repositoryId: null,
  ownerId: null,
  ref: 'refs/heads/main',
  environment: null,
};

/** As GitHub writes them for a push to the main branch. */
const CLAIMS = {
  sub: 'repo:Acme/Tab-Counter:ref:refs/heads/main',
  repository: 'Acme/Tab-Counter',
  repository_id: '74',
  repository_owner: 'Acme',
  repository_owner_id: '65',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  event_name: 'push',
  run_id: '2468',
  run_attempt: '1',
  workflow: 'Release',
  workflow_ref: 'Acme/Tab-Counter/.github/workflows/release.yml@refs/heads/main',
  sha: '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
};

/** As GitLab writes them. */
const GITLAB_CLAIMS = {
  project_id: '22',
  project_path: 'acme/tab-counter',
  namespace_id: '72',
  ref: 'main',
  ref_path: 'refs/heads/main',
  ref_protected: 'true',
  pipeline_id: '55',
  pipeline_source: 'push',
  ci_config_ref_uri: 'gitlab.com/acme/tab-counter//.gitlab-ci.yml@refs/heads/main',
  sha: '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
};

const read = (issuer: string, claims: Readonly<Record<string, unknown>>): CiRun => {
  const run = runOf(issuer, claims);
  if (run === null) throw new Error('The claims name no repository');
  return run;
};
const compare = (terms: object, claims: object): Mismatch | null =>
  mismatchOf({ ...TERMS, ...terms }, read(GITHUB, { ...CLAIMS, ...claims }));

describe('the claims of a run', () => {
  it('are read from a token of GitHub', () => {
    expect(runOf(GITHUB, CLAIMS)).toEqual({
      issuer: GITHUB,
      repository: 'acme/tab-counter',
      repositoryId: '74',
      ownerId: '65',
      ref: 'refs/heads/main',
      environment: null,
      event: 'push',
      runId: '2468',
      isGitLab: false,
      commit: CLAIMS.sha,
      workflow: CLAIMS.workflow_ref,
    });
  });

  it('are read from a token of GitLab, the ref from the claim that names its kind', () => {
    expect(runOf(GITLAB, { ...GITLAB_CLAIMS, project_id: 22, environment: 'production' })).toEqual({
      issuer: GITLAB,
      repository: 'acme/tab-counter',
      repositoryId: '22',
      ownerId: '72',
      ref: 'refs/heads/main',
      environment: 'production',
      event: 'push',
      runId: '55',
      isGitLab: true,
      commit: GITLAB_CLAIMS.sha,
      workflow: GITLAB_CLAIMS.ci_config_ref_uri,
    });
  });

  it.each([
    [GITHUB, CLAIMS, 'https://github.com/acme/tab-counter', '/actions/runs/2468', '/commit/'],
    [
      'https://git.acme.example/_services/token',
      CLAIMS,
      'https://git.acme.example/acme/tab-counter',
      '/actions/runs/2468',
      '/commit/',
    ],
    [GITLAB, GITLAB_CLAIMS, 'https://gitlab.com/acme/tab-counter', '/-/pipelines/55', '/-/commit/'],
  ])('of %s lead to the pages of the run and the commit', (issuer, claims, at, run, commit) => {
    expect(originOf(read(issuer, claims))).toMatchObject({
      repository: 'acme/tab-counter',
      commit: claims.sha,
      runUrl: `${at}${run}`,
      commitUrl: `${at}${commit}${claims.sha}`,
    });
  });

  it('lead to no page of a service whose addresses are not known, or without their number', () => {
    expect(originOf(read('https://ci.example', CLAIMS))).toMatchObject({ runUrl: null, commitUrl: null });
    const { sha: _sha, run_id: _run, ...rest } = CLAIMS;
    expect(originOf(read(GITHUB, rest))).toMatchObject({ commit: null, runUrl: null, commitUrl: null });
  });

  it.each([
    [{}],
    [{ repository: '' }],
    [{ repository: ['acme/tab-counter'] }],
    [{ repository: { toString: 'acme' } }],
    [{ repository: 'x'.repeat(256) }],
    [{ repository: 'acme/\u212Aeeper' }],
    [{ repository: 'acme/keeper\0' }],
  ])('%j name no repository', (claims) => {
    expect(runOf(GITHUB, claims)).toBeNull();
  });
});

describe('a trust rule', () => {
  it.each<[sentence: string, terms: object, claims: object, mismatch: Mismatch | null]>([
    ['trusts a push to its branch', {}, {}, null],
    ['trusts no other repository', {}, { repository: 'mallory/tab-counter' }, 'repository'],
    ['trusts no repository that only begins like it', {}, { repository: 'acme/tab-counter-2' }, 'repository'],
    ['trusts no other issuer', { issuer: GITLAB }, {}, 'issuer'],
    ['trusts no other branch', {}, { ref: 'refs/heads/dev' }, 'ref'],
    ['trusts no tag of the name', {}, { ref: 'refs/tags/main' }, 'ref'],
    ['trusts no run without a ref', {}, { ref: undefined }, 'ref'],
    ['trusts the tags of a pattern', { ref: 'refs/tags/v*' }, { ref: 'refs/tags/v1.0.0' }, null],
    ["trusts no stranger's pull request", {}, { event_name: 'pull_request', ref: 'refs/pull/7/merge' }, 'event'],
    ['trusts no pull request with the ref of its target', {}, { event_name: 'pull_request_target' }, 'event'],
    ['trusts no run that another run started', {}, { event_name: 'workflow_run' }, 'event'],
    ['trusts no comment', {}, { event_name: 'issue_comment' }, 'event'],
    ['trusts no event that it does not know', {}, { event_name: 'constructor' }, 'event'],
    ['trusts no run without an event', {}, { event_name: undefined }, 'event'],
    ['trusts a run by hand', {}, { event_name: 'workflow_dispatch' }, null],
    ['of an environment trusts its jobs', { ref: null, environment: 'store' }, { environment: 'store' }, null],
    ['of an environment trusts no other', { ref: null, environment: 'store' }, { environment: 'test' }, 'environment'],
    ['of an environment trusts no job without one', { ref: null, environment: '*' }, {}, 'environment'],
    [
      'of an environment trusts no pull request for it',
      { ref: null, environment: 'store' },
      { environment: 'store', event_name: 'pull_request_target' },
      'event',
    ],
    [
      'of an environment trusts no run of anything but a branch or a tag',
      { ref: null, environment: 'store' },
      { environment: 'store', ref: 'refs/pull/7/merge' },
      'ref',
    ],
    ['of both wants the branch', { environment: 'store' }, { environment: 'store', ref: 'refs/heads/x' }, 'ref'],
    ['of both wants the environment', { environment: 'store' }, {}, 'environment'],
    ['of neither trusts nothing', { ref: null }, {}, 'ref'],
    ['trusts the repository that used it first', { repositoryId: '74', ownerId: '65' }, {}, null],
    ['trusts no later repository of the name', { repositoryId: '74' }, { repository_id: '75' }, 'replaced'],
    ['trusts no later owner of the name', { ownerId: '65' }, { repository_owner_id: '66' }, 'replaced'],
    ['trusts no token that omits the number', { repositoryId: '74' }, { repository_id: undefined }, 'replaced'],
  ])('%s', (_, terms, claims, mismatch) => {
    expect(compare(terms, claims)).toBe(mismatch);
  });

  it("trusts no merge request of a fork whose branch is called like the project's", () => {
    const terms = { ...TERMS, issuer: GITLAB };
    expect(mismatchOf(terms, read(GITLAB, GITLAB_CLAIMS))).toBeNull();
    // The second is a child of the first, and both have the ref of the stranger's branch.
    for (const pipeline_source of ['merge_request_event', 'parent_pipeline', 'external_pull_request_event'])
      expect(mismatchOf(terms, read(GITLAB, { ...GITLAB_CLAIMS, pipeline_source }))).toBe('event');
  });

  it('trusts a run only if each of its terms is met, whatever else the token claims', () => {
    const value = fc.oneof(
      fc.constantFrom('refs/heads/main', 'refs/pull/1/merge', 'push', 'pull_request_target', 'acme/tab-counter', '74'),
      fc.anything(),
    );
    const claims = fc.record(
      Object.fromEntries(Object.keys({ ...CLAIMS, ...GITLAB_CLAIMS, environment: '' }).map((name) => [name, value])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(claims, (given) => {
        const run = runOf(GITHUB, given);
        if (run === null || mismatchOf({ ...TERMS, repositoryId: '74' }, run) !== null) return;
        expect(run).toMatchObject({ repository: 'acme/tab-counter', repositoryId: '74', ref: 'refs/heads/main' });
        expect(run.event).toBe('push');
      }),
      { numRuns: 3000 },
    );
  });
});
