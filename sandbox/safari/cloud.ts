import { randomUUID } from 'node:crypto';
import { ControlRefusal } from '../control-refusal.js';
import type { Ref, Shape } from './documents.js';
import { conflict } from './errors.js';
import type { App } from './model.js';

/** An Xcode Cloud workflow of an app (src/stores/README.md#safari-xcode-cloud). */
export interface Workflow {
  readonly id: string;
  readonly appId: string;
  readonly name: string;
  readonly isEnabled: boolean;
}

export const REFERENCE_KINDS = ['BRANCH', 'TAG'] as const;

/** A branch or tag of the app's repository. */
export interface GitReference {
  readonly id: string;
  readonly appId: string;
  readonly name: string;
  readonly kind: (typeof REFERENCE_KINDS)[number];
  isDeleted: boolean;
}

export const COMPLETION_STATUSES = ['SUCCEEDED', 'FAILED', 'ERRORED', 'CANCELED', 'SKIPPED'] as const;

/** A run of a workflow. */
export interface BuildRun {
  readonly id: string;
  readonly appId: string;
  readonly number: number;
  readonly workflowId: string;
  readonly referenceId: string;
  readonly createdAt: Date;
  /** Lists show it from then on; by its id it is there at once. */
  readonly listedAt: Date;
  progress: 'PENDING' | 'RUNNING' | 'COMPLETE';
  status: (typeof COMPLETION_STATUSES)[number] | null;
}

/** Xcode Cloud of all apps, each with one repository. */
export class XcodeCloud {
  private readonly workflows = new Map<string, Workflow>();
  private readonly references = new Map<string, GitReference>();
  private readonly runs = new Map<string, BuildRun>();

  addWorkflow(app: App, isEnabled: boolean): Workflow {
    const workflow = { id: randomUUID(), appId: app.appId, name: 'Release', isEnabled };
    this.workflows.set(workflow.id, workflow);
    return workflow;
  }

  addReference(app: App, name: string, kind: GitReference['kind']): GitReference {
    const reference = { id: randomUUID(), appId: app.appId, name, kind, isDeleted: false };
    this.references.set(reference.id, reference);
    return reference;
  }

  workflow(id: string): Workflow | undefined {
    return this.workflows.get(id);
  }

  reference(id: string): GitReference | undefined {
    return this.references.get(id);
  }

  referencesOf(appId: string): GitReference[] {
    return [...this.references.values()].filter((reference) => reference.appId === appId);
  }

  run(id: string): BuildRun | undefined {
    return this.runs.get(id);
  }

  runsOf(appId: string): BuildRun[] {
    return [...this.runs.values()].filter((run) => run.appId === appId);
  }

  /** Starts a run, whether or not there are others. */
  start(app: App, workflow: Workflow, reference: GitReference, now: Date): BuildRun {
    if (!workflow.isEnabled)
      throw conflict('STATE_ERROR.ENTITY_STATE_INVALID', 'The workflow is disabled, so no build can be started.');
    const run: BuildRun = {
      id: randomUUID(),
      appId: app.appId,
      number: this.runsOf(app.appId).length + 1,
      workflowId: workflow.id,
      referenceId: reference.id,
      createdAt: now,
      listedAt: new Date(now.getTime() + app.runsListedAfterSeconds * 1000),
      progress: 'PENDING',
      status: null,
    };
    this.runs.set(run.id, run);
    app.counters.runsStarted += 1;
    return run;
  }

  /** Ends a run. */
  finish(app: App, number: number, status: NonNullable<BuildRun['status']>): void {
    const run = this.runsOf(app.appId).find((one) => one.number === number);
    if (run === undefined || run.status !== null) throw new ControlRefusal(409, `no run ${number} is under way`);
    Object.assign(run, { progress: 'COMPLETE', status });
  }

  /** The app of a workflow, a reference, a run, or a repository, which has the id of its app. */
  appIdOf(id: string): string | undefined {
    return (this.workflow(id) ?? this.reference(id) ?? this.run(id))?.appId;
  }

  clear(): void {
    for (const all of [this.workflows, this.references, this.runs]) all.clear();
  }
}

const ref = (type: string, id: string): Ref => ({ type, id });

/** A workflow. */
export const workflowShape = ({ id, appId, name, isEnabled }: Workflow): Shape => ({
  type: 'ciWorkflows',
  id,
  attributes: { name, isEnabled, clean: false, containerFilePath: 'App.xcodeproj', description: '' },
  related: { repository: ref('scmRepositories', appId) },
});

/** The repository of an app. */
export const repositoryShape = (appId: string): Shape => ({
  type: 'scmRepositories',
  id: appId,
  attributes: { ownerName: 'author', repositoryName: `app-${appId}` },
  related: {},
});

/** A branch or tag. */
export const referenceShape = ({ id, appId, name, kind, isDeleted }: GitReference): Shape => ({
  type: 'scmGitReferences',
  id,
  attributes: { name, canonicalName: `refs/${kind === 'TAG' ? 'tags' : 'heads'}/${name}`, isDeleted, kind },
  related: { repository: ref('scmRepositories', appId) },
});

/** A run. */
export const runShape = ({ id, number, progress, status, createdAt, workflowId, referenceId }: BuildRun): Shape => ({
  type: 'ciBuildRuns',
  id,
  attributes: {
    number,
    createdDate: createdAt.toISOString(),
    executionProgress: progress,
    completionStatus: status,
    startReason: 'MANUAL',
  },
  related: { workflow: ref('ciWorkflows', workflowId), sourceBranchOrTag: ref('scmGitReferences', referenceId) },
});
