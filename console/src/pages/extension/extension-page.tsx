import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useStores } from '../../api';
import type { PageProps } from '../../page-props';
import { bytes, Empty, PHASES, ProblemNote, RELEASE_STATES, Skeleton, Status, Table, Time } from '../../ui';
import {
  targetName,
  useArtifacts,
  useReleases,
  useTargets,
  versionPath,
  type Artifact,
  type Release,
  type Target,
} from './data';
import { ExtensionFrame } from './extension-frame';
import { TargetActions } from './target-actions';
import { Words } from './words';
import css from './extension.module.css';

/** An extension: where it stands at each store, and what became of its versions there. */
export function ExtensionPage({ params: { id = '' } }: PageProps): ReactElement {
  return (
    <ExtensionFrame id={id}>
      <StoresOf id={id} />
      <VersionsOf id={id} />
    </ExtensionFrame>
  );
}

function StoresOf({ id }: { readonly id: string }): ReactElement {
  const { data: targets, problem } = useTargets(id);
  const { data: stores } = useStores();
  return (
    <section className={css.section} aria-labelledby="stores">
      <h2 id="stores">Stores</h2>
      <Table
        caption="Stores"
        rows={targets}
        rowKey={(target) => target.id}
        problem={problem}
        empty={<Empty title="No targets">Add one for a store that this extension is published at.</Empty>}
        columns={[
          {
            title: 'Store',
            cell: (target) => (
              <span className={css.whole}>
                <Link href={`/extensions/${id}/targets/${target.id}`}>{targetName(target, targets ?? [])}</Link>
              </span>
            ),
          },
          { title: 'Live', cell: ({ status }) => <span className={css.whole}>{status.liveVersion ?? '—'}</span> },
          { title: 'Now', cell: (target) => <Now target={target} /> },
          {
            title: 'Actions',
            cell: (target) => (
              <TargetActions
                target={target}
                name={targetName(target, targets ?? [])}
                store={stores?.find((one) => one.id === target.store)}
              />
            ),
          },
        ]}
      />
    </section>
  );
}

function Now({ target: { status, paused } }: { readonly target: Target }): ReactElement {
  const { state, word } = PHASES[status.phase];
  return (
    <div className={css.now}>
      <Status state={state}>
        {status.phase !== 'live' &&
          status.phase !== 'disabled' &&
          status.desiredVersion !== null &&
          `${status.desiredVersion} `}
        {word}
        {paused && ', paused'}
      </Status>
      {status.phase !== 'live' && status.phase !== 'disabled' && <Words text={status.message} />}
    </div>
  );
}

/** A version: as it was pushed, and where it is. */
interface VersionRow {
  readonly version: string;
  readonly artifact: Artifact | undefined;
  readonly releases: readonly Release[];
}

function VersionsOf({ id }: { readonly id: string }): ReactElement {
  const targets = useTargets(id);
  const releases = useReleases(id);
  const artifacts = useArtifacts(id);
  const problem = releases.problem ?? artifacts.problem ?? targets.problem;
  return (
    <section className={css.section} aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      {targets.data === undefined || releases.data === undefined || artifacts.data === undefined ? (
        problem === null ? (
          <Skeleton label="versions" lines={6} />
        ) : (
          <ProblemNote problem={problem} onRetry={releases.retry} />
        )
      ) : (
        <Matrix id={id} targets={targets.data} rows={rowsOf(releases.data, artifacts.data)} />
      )}
    </section>
  );
}

/** All versions that are known: those that set out, and those that wait. */
function rowsOf(
  releases: readonly { readonly version: string; readonly targets: readonly Release[] }[],
  artifacts: readonly Artifact[],
): readonly VersionRow[] {
  const out = releases.map(({ version, targets }) => ({
    version,
    releases: targets,
    artifact: artifacts.find((one) => targets.some(({ artifactId }) => artifactId === one.id)),
  }));
  const waiting = artifacts.filter(
    (one) => !out.some(({ version, artifact }) => artifact === one || version === one.version),
  );
  return [...waiting.map((artifact) => ({ version: artifact.version, artifact, releases: [] })), ...out];
}

interface MatrixProps {
  readonly id: string;
  readonly targets: readonly Target[];
  readonly rows: readonly VersionRow[];
}

function Matrix({ id, targets, rows }: MatrixProps): ReactElement {
  const shown = targets.filter(
    (target) => target.enabled || rows.some(({ releases }) => releases.some(({ targetId }) => targetId === target.id)),
  );
  return (
    <Table
      caption="Versions at each store"
      rows={rows}
      rowKey={({ version, artifact }) => `${version} ${artifact?.id ?? ''}`}
      empty={
        <Empty title="No versions yet">
          <p>Each version that you push will stand here, with what became of it at each store.</p>
        </Empty>
      }
      columns={[
        {
          title: 'Version',
          cell: ({ version, artifact }) => (
            <div className={css.now}>
              <Link href={versionPath(id, version)}>{version}</Link>
              {artifact !== undefined && (
                <small>
                  {artifact.size !== null && `${bytes(artifact.size)}, `}
                  <Time at={artifact.pinnedAt} />
                </small>
              )}
            </div>
          ),
        },
        ...shown.map((target) => ({
          title: targetName(target, targets),
          cell: ({ releases }: VersionRow) => (
            <Cell releases={releases.filter(({ targetId }) => targetId === target.id)} />
          ),
        })),
      ]}
    />
  );
}

function Cell({ releases }: { readonly releases: readonly Release[] }): ReactElement {
  if (releases.length === 0) return <>—</>;
  return (
    <div className={css.now}>
      {releases.map(({ platform, state, at }) => (
        <div key={platform} className={css.now}>
          <Status state={RELEASE_STATES[state].state}>
            {RELEASE_STATES[state].word}
            {platform !== null && ` (${platform})`}
          </Status>
          <small>
            <Time at={at} />
          </small>
        </div>
      ))}
    </div>
  );
}
