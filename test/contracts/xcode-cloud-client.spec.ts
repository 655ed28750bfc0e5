import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ciBuildRunsCreateInstance,
  ciBuildRunsGetInstance,
  ciWorkflowsBuildRunsGetToManyRelated,
  ciWorkflowsGetInstance,
  createClient,
  scmRepositoriesGitReferencesGetToManyRelated,
} from 'appstore-connect-sdk';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.js';
import { SandboxControl } from '../../sandbox/sandbox-control.js';
import { SafariControl } from '../../sandbox/safari/safari-control.js';

let sandbox: Sandbox;
let sim: SafariControl;
beforeAll(async () => {
  sandbox = await createSandbox();
  sim = new SafariControl(sandbox.url);
});
afterAll(() => sandbox.close());

/** An app with a workflow and a tag, and an independent client of its team. */
async function team(options: object = {}) {
  const { teamId, keyId: privateKeyId, privateKey, issuerId } = await sim.key();
  const { appId } = await sim.app({ issuerId: teamId, ...options });
  const client = createClient({ privateKeyId, privateKey, issuerId: issuerId ?? '', baseUrl: sandbox.url });
  const [workflow, tag] = [await sim.workflow(appId), await sim.reference(appId, 'v1.0')];
  const start = (workflowId: string = workflow.id, referenceId: string = tag.id) =>
    ciBuildRunsCreateInstance({
      client,
      body: {
        data: {
          type: 'ciBuildRuns',
          relationships: {
            workflow: { data: { type: 'ciWorkflows', id: workflowId } },
            sourceBranchOrTag: { data: { type: 'scmGitReferences', id: referenceId } },
          },
        },
      },
    });
  const list = async () => {
    const query = { include: ['sourceBranchOrTag' as const], sort: ['-number' as const] };
    const { data } = await ciWorkflowsBuildRunsGetToManyRelated({ client, path: { id: workflow.id }, query });
    return data?.data.map(({ attributes, relationships }) => ({
      number: attributes?.number,
      tag: relationships?.sourceBranchOrTag?.data?.id,
    }));
  };
  return { appId, client, workflow, tag, start, list };
}

const codeOf = ({ error }: { readonly error?: unknown }): unknown =>
  (error as { readonly errors?: readonly { readonly code: string }[] } | undefined)?.errors?.[0]?.code;

describe('Xcode Cloud, for an independent client,', () => {
  it('leads from a workflow to the tags of its repository, and builds one as often as it is told to', async () => {
    const { appId, client, workflow, tag, start, list } = await team();
    const found = await ciWorkflowsGetInstance({
      client,
      path: { id: workflow.id },
      query: { include: ['repository'] },
    });
    const repository = found.data?.data.relationships?.repository?.data?.id ?? '';
    const references = await scmRepositoriesGitReferencesGetToManyRelated({ client, path: { id: repository } });
    expect(references.data?.data.map(({ id, attributes }) => ({ id, ...attributes }))).toEqual([
      { id: tag.id, name: 'v1.0', canonicalName: 'refs/tags/v1.0', kind: 'TAG', isDeleted: false },
    ]);
    const [first, second] = [await start(), await start()];
    expect([first, second].map(({ data }) => data?.data.attributes?.number)).toEqual([1, 2]);
    expect(await list()).toEqual([
      { number: 2, tag: tag.id },
      { number: 1, tag: tag.id },
    ]);
    await sim.finishRun(appId, 1, 'SUCCEEDED', [{ version: '1.0' }]);
    const run = await ciBuildRunsGetInstance({ client, path: { id: first.data?.data.id ?? '' } });
    expect(run.data?.data.attributes).toMatchObject({ executionProgress: 'COMPLETE', completionStatus: 'SUCCEEDED' });
    expect((await sim.state(appId)).builds).toMatchObject([{ version: '1.0' }]);
    await expect(sim.finishRun(appId, 1, 'FAILED')).rejects.toThrow();
  });

  it('lists a run as late as it is told to, and shows it by its id at once', async () => {
    const { client, tag, start, list } = await team({ runsListedAfterSeconds: 30 });
    const id = (await start()).data?.data.id ?? '';
    expect(await list()).toEqual([]);
    expect((await ciBuildRunsGetInstance({ client, path: { id } })).data?.data.id).toBe(id);
    await new SandboxControl(sandbox.url).advance(31);
    expect(await list()).toEqual([{ number: 1, tag: tag.id }]);
  });

  it('starts nothing of a stranger, of another repository, or that is not there', async () => {
    const [one, other] = [await team(), await team()];
    for (const [workflowId, referenceId] of [
      ['nothing', one.tag.id],
      [one.workflow.id, 'nothing'],
      [other.workflow.id, other.tag.id],
      [one.workflow.id, other.tag.id],
      [one.tag.id, one.tag.id],
    ])
      expect(codeOf(await one.start(workflowId, referenceId))).toBe('ENTITY_ERROR.RELATIONSHIP.INVALID');
    expect(await one.list()).toEqual([]);
    const strange = await ciWorkflowsGetInstance({ client: one.client, path: { id: other.workflow.id } });
    expect(codeOf(strange)).toBe('NOT_FOUND');
  });

  it('starts nothing with relationships of other types, or without them', async () => {
    const { client, workflow, tag, list } = await team();
    const link = (type: string, id: string) => ({ data: { type, id } });
    for (const [relationships, code] of [
      [{ workflow: link('ciWorkflows', workflow.id) }, 'ENTITY_ERROR.RELATIONSHIP.REQUIRED'],
      [{ sourceBranchOrTag: link('scmGitReferences', tag.id) }, 'ENTITY_ERROR.RELATIONSHIP.REQUIRED'],
      [
        { workflow: link('ciProducts', workflow.id), sourceBranchOrTag: link('scmGitReferences', tag.id) },
        'ENTITY_ERROR.RELATIONSHIP.INVALID',
      ],
    ] as const) {
      const body = { data: { type: 'ciBuildRuns', relationships } } as never;
      expect(codeOf(await ciBuildRunsCreateInstance({ client, body }))).toBe(code);
    }
    expect(await list()).toEqual([]);
  });

  it('starts nothing of a workflow that is turned off', async () => {
    const { appId, start } = await team();
    const { id } = await sim.workflow(appId, { isEnabled: false });
    expect(codeOf(await start(id))).toBe('STATE_ERROR.ENTITY_STATE_INVALID');
  });
});
