import type { Refusal } from '../answer.js';
import type { StoreRoute } from '../stand-in.js';
import { type BuildRun, referenceShape, runShape, type Workflow, workflowShape } from './cloud.js';
import { page } from './documents.js';
import { conflict, notFound } from './errors.js';
import { readDocument, relationship } from './requests.js';
import type { SafariRouteBuilder } from './route-builder.js';

const RUN_INCLUDES = ['workflow', 'sourceBranchOrTag'];

/** The calls of Xcode Cloud (src/stores/README.md#safari-xcode-cloud). */
export function cloudRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const { cloud } = builder.world;
  return [
    builder.appRoute('workflow', 'GET', /^\/v1\/ciWorkflows\/(?<id>[^/]+)$/, 'ciWorkflows', (call) =>
      builder.resourceAnswer(call, workflowShape(workflowOf(builder, call.id)), 200, ['repository']),
    ),
    builder.appRoute('runs', 'GET', /^\/v1\/ciWorkflows\/(?<id>[^/]+)\/buildRuns$/, 'ciWorkflows', (call) => {
      const listed = cloud
        .runsOf(call.app.appId)
        .filter(({ workflowId, listedAt }) => workflowId === call.id && listedAt <= builder.now());
      return page(call, {
        ...builder.listing(listed.map(runShape), call.app),
        includes: RUN_INCLUDES,
        sorts: { number: ({ attributes }) => String(attributes.number).padStart(9, '0') },
      });
    }),
    builder.appRoute(
      'references',
      'GET',
      /^\/v1\/scmRepositories\/(?<id>[^/]+)\/gitReferences$/,
      'scmRepositories',
      (call) => page(call, builder.listing(cloud.referencesOf(call.app.appId).map(referenceShape), call.app)),
    ),
    builder.route('startRun', 'POST', /^\/v1\/ciBuildRuns$/, (call, key) => {
      const sent = readDocument(call.body, 'ciBuildRuns');
      const workflowId = relationship(sent, 'workflow', 'ciWorkflows');
      const workflow = cloud.workflow(workflowId);
      const app = builder.world.app(workflow?.appId ?? '');
      // Apple's document names no 404 for this call.
      if (workflow === undefined || app?.issuerId !== key.issuerId) throw unknown('workflow', workflowId);
      return builder.countingWrites(app, () => {
        const referenceId = relationship(sent, 'sourceBranchOrTag', 'scmGitReferences');
        const reference = cloud.reference(referenceId);
        if (reference?.appId !== app.appId || reference.isDeleted) throw unknown('sourceBranchOrTag', referenceId);
        return builder.resourceAnswer(call, runShape(cloud.start(app, workflow, reference, builder.now())), 201);
      });
    }),
    builder.appRoute('run', 'GET', /^\/v1\/ciBuildRuns\/(?<id>[^/]+)$/, 'ciBuildRuns', (call) =>
      builder.resourceAnswer(call, runShape(runOf(builder, call.id)), 200, RUN_INCLUDES),
    ),
  ];
}

function workflowOf({ world }: SafariRouteBuilder, id: string): Workflow {
  const workflow = world.cloud.workflow(id);
  if (workflow === undefined) throw notFound('ciWorkflows', id);
  return workflow;
}

const unknown = (name: string, id: string): Refusal =>
  conflict('ENTITY_ERROR.RELATIONSHIP.INVALID', `The relationship '${name}' is to '${id}', which does not exist.`);

function runOf({ world }: SafariRouteBuilder, id: string): BuildRun {
  const run = world.cloud.run(id);
  if (run === undefined) throw notFound('ciBuildRuns', id);
  return run;
}
