import { StoreFailure } from '../failures/index.js';
import { link, query, type SafariApi, type SafariApp } from './safari.api.js';
import { runsOf, tagIn, type CloudRun } from './safari.cloud-runs.js';
import { pageOf } from './safari.documents.js';
import { isNotFound } from './safari.errors.js';

const RUN_FIELDS = {
  'fields[ciBuildRuns]': 'number,executionProgress,completionStatus,sourceBranchOrTag',
  include: 'sourceBranchOrTag',
};

/** The calls of Xcode Cloud (src/stores/README.md#safari-xcode-cloud). Each may throw a `StoreFailure`. */
export class SafariCloudClient {
  constructor(private readonly api: SafariApi) {}

  now(): Date {
    return this.api.clock.now();
  }

  /**
   * The id of a tag in the repository of a workflow; undefined when Apple does not know it.
   * @throws StoreFailure `config` when there is no such workflow
   */
  async tag({ credentials }: SafariApp, workflow: string, tag: string): Promise<string | undefined> {
    const path = `/v1/ciWorkflows/${encodeURIComponent(workflow)}?${query({ include: 'repository' })}`;
    const found = await this.api.call(credentials, { method: 'GET', path }).catch((error: unknown) => {
      throw isNotFound(error) ? noWorkflow(workflow, error) : error;
    });
    const repository = pageOf(found).data[0]?.related('repository');
    if (repository == null) throw noWorkflow(workflow);
    const references = `/v1/scmRepositories/${encodeURIComponent(repository)}/gitReferences?${query({ limit: 200 })}`;
    return tagIn(await this.api.pages(credentials, references), tag);
  }

  /** The newest runs of a workflow on a tag. One page is enough, since a run of a version is among the last ones. */
  async runs({ credentials }: SafariApp, workflow: string, referenceId: string): Promise<CloudRun[]> {
    const parameters = query({ ...RUN_FIELDS, sort: '-number', limit: 200 });
    const path = `/v1/ciWorkflows/${encodeURIComponent(workflow)}/buildRuns?${parameters}`;
    const runs = runsOf(pageOf(await this.api.call(credentials, { method: 'GET', path })));
    return runs.filter((run) => run.referenceId === referenceId);
  }

  /** One run; null when it is gone. */
  async run({ credentials }: SafariApp, id: string): Promise<CloudRun | null> {
    const path = `/v1/ciBuildRuns/${encodeURIComponent(id)}?${query(RUN_FIELDS)}`;
    try {
      return runsOf(pageOf(await this.api.call(credentials, { method: 'GET', path })))[0] ?? null;
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  /** Starts a run. A repeat starts another one. */
  async start({ credentials }: SafariApp, workflow: string, referenceId: string): Promise<CloudRun> {
    const relationships = {
      workflow: link('ciWorkflows', workflow),
      sourceBranchOrTag: link('scmGitReferences', referenceId),
    };
    const body = { data: { type: 'ciBuildRuns', attributes: {}, relationships } };
    const made = await this.api.created(credentials, { method: 'POST', path: '/v1/ciBuildRuns', body });
    const [run] = runsOf({ data: [made], included: [], next: undefined });
    if (run !== undefined) return run;
    throw new StoreFailure('retry', 'The answer of App Store Connect does not contain the run that was started.');
  }
}

const noWorkflow = (workflow: string, cause?: StoreFailure): StoreFailure =>
  new StoreFailure(
    'config',
    `Xcode Cloud has no workflow ${workflow} that this key may read. Check the target's xcodeCloudWorkflow.`,
    cause === undefined ? {} : { ...cause.details, cause },
  );
