import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, together, useRead, type Schemas } from '../../api';
import type { PageProps } from '../../page-props';
import { Button, CopyField, OutLink, PageHeader, ProblemNote, Skeleton, Status, Time, Words } from '../../ui';
import { Differences } from './changes';
import { useExtension, useTargets } from './data';
import { FindingList } from './finding-list';
import { concerning } from './findings';
import css from './extension.module.css';
import { ApproveDialog, RejectDialog } from './decision-dialogs';
import { ACTS, standingOf } from './approval-words';
import { receiverName } from './target-name';

type Approval = Schemas['Approval'];

/** A version that waits for another person: where it comes from, what it changes, and the decision. */
export function ApprovalPage({ params: { id = '' } }: PageProps): ReactElement {
  const approval = useRead({
    queryKey: ['approvals', id],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/approvals/{id}', { params: { path: { id } }, signal })),
  });
  const { data, problem, retry } = approval;
  if (data !== undefined) return <Waiting approval={data} />;
  return (
    <>
      <PageHeader title="Approval" back={{ href: '/', label: 'Home' }} />
      {problem === null ? <Skeleton label="approval" lines={6} /> : <ProblemNote problem={problem} onRetry={retry} />}
    </>
  );
}

function Waiting({ approval }: { readonly approval: Approval }): ReactElement {
  const [opened, setOpened] = useState<'approve' | 'reject' | null>(null);
  const { extensionId, version, isYours } = approval;
  const extension = useExtension(extensionId);
  const name = extension.data?.name ?? 'Extension';
  const close = (): void => setOpened(null);
  const { state, word, next } = standingOf(approval);
  return (
    <>
      <PageHeader
        title={`${name} ${version}`}
        back={{ href: `/extensions/${extensionId}`, label: name }}
        actions={
          isYours && (
            <>
              <Button onClick={() => setOpened('reject')}>Reject</Button>
              <Button kind="primary" onClick={() => setOpened('approve')}>
                Approve
              </Button>
            </>
          )
        }
      />
      <Status state={state}>{word}</Status>
      <p>
        <Words text={next} />
      </p>
      <Origin approval={approval} />
      <Changed approval={approval} />
      <Found approval={approval} />
      {opened === 'approve' && <ApproveDialog approval={approval} onClose={close} />}
      {opened === 'reject' && <RejectDialog approval={approval} onClose={close} />}
    </>
  );
}

/** Who asked, from where, and for which bytes. */
function Origin({ approval }: { readonly approval: Approval }): ReactElement {
  const { act, sha256, rollbackOf, requestedBy, requestedFrom, commit, createdAt, extensionId, version } = approval;
  const { data: targets = [] } = useTargets(extensionId);
  return (
    <section className={css.section} aria-labelledby="origin">
      <h2 id="origin">Where it comes from</h2>
      <dl className={css.facts}>
        <dt>{ACTS[act]} by</dt>
        <dd>
          <bdi>{requestedBy ?? 'Not known'}</bdi>, <Time at={createdAt} />
        </dd>
        <dt>Version</dt>
        <dd>
          <Link href={`/extensions/${extensionId}/versions/${encodeURIComponent(version)}`}>{version}</Link>
        </dd>
        <dt>For</dt>
        <dd>{receiverName(approval, targets) ?? 'Every store'}</dd>
        {rollbackOf !== null && (
          <>
            <dt>Brings back</dt>
            <dd>{rollbackOf}</dd>
          </>
        )}
        {requestedFrom !== null && <Job job={requestedFrom} />}
        {commit !== null && commit !== requestedFrom?.commit && (
          <>
            <dt>Commit</dt>
            <dd>
              <code>{commit}</code> <small>named by the push, not signed</small>
            </dd>
          </>
        )}
        {sha256 !== null && (
          <>
            <dt>SHA-256</dt>
            <dd>
              <CopyField label="SHA-256 of the package" value={sha256} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** A CI job, by the signed claims of its token. */
function Job({ job }: { readonly job: NonNullable<Approval['requestedFrom']> }): ReactElement {
  const { repository, ref, commit, workflow, runUrl, commitUrl } = job;
  return (
    <>
      <dt>Repository</dt>
      <dd>
        <bdi>{repository}</bdi>
        {ref !== null && (
          <>
            , <code>{ref}</code>
          </>
        )}
      </dd>
      {commit !== null && (
        <>
          <dt>Commit</dt>
          <dd>
            {commitUrl === null ? <code>{commit}</code> : <OutLink href={commitUrl}>{commit}</OutLink>}{' '}
            <small>signed by the CI service</small>
          </dd>
        </>
      )}
      {workflow !== null && (
        <>
          <dt>Workflow</dt>
          <dd>
            <bdi>{workflow}</bdi>
          </dd>
        </>
      )}
      {runUrl !== null && (
        <>
          <dt>Run</dt>
          <dd>
            <OutLink href={runUrl}>Open the run</OutLink>
          </dd>
        </>
      )}
    </>
  );
}

/** What changes for users. */
function Changed({ approval: { extensionId, artifactId } }: { readonly approval: Approval }): ReactElement {
  const { data, problem, retry } = useRead({
    queryKey: ['extensions', extensionId, 'changes', artifactId, 'before'],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/artifacts/{id}/changes', { params: { path: { id: artifactId } }, signal })),
  });
  return (
    <section className={css.section} aria-labelledby="changed">
      <h2 id="changed">{data?.since == null ? 'What changes' : `What changes since ${data.since.version}`}</h2>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {data === undefined && problem === null && <Skeleton label="what changes" lines={3} />}
      {data !== undefined &&
        (data.changes === null ? (
          <p>Pierhead has no package of an earlier version to compare.</p>
        ) : (
          <Differences changes={data.changes} />
        ))}
    </section>
  );
}

/** What stores do not accept in it. */
function Found({ approval: { extensionId, artifactId, store } }: { readonly approval: Approval }): ReactElement | null {
  const targets = useTargets(extensionId);
  const findings = useRead({
    queryKey: ['extensions', extensionId, 'findings', artifactId],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/api/v1/artifacts/{id}/findings', { params: { path: { id: artifactId } }, signal })))
        .items,
  });
  const { problem, retry } = together(targets, findings);
  if (problem !== null) return <ProblemNote problem={problem} onRetry={retry} />;
  if (targets.data === undefined || findings.data === undefined) return <Skeleton label="findings" />;
  const shown = concerning(findings.data, { store }, targets.data);
  return (
    <section className={css.section} aria-labelledby="found">
      <h2 id="found">What the stores do not accept</h2>
      {shown.length === 0 ? <p>Nothing was found.</p> : <FindingList findings={shown} />}
    </section>
  );
}
