import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { together, useStores } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import { bytes, Empty, ofPlatform, Skeleton, Status, Table, Time, Words } from '../../ui';
import { AddTarget } from './add-target';
import {
  useArtifacts,
  useReleases,
  useTargets,
  versionPath,
  type Artifact,
  type Release,
  type StoreDescription,
  type Target,
} from './data';
import { ExtensionFrame } from './extension-frame';
import { TargetActions } from './target-actions';
import { targetName } from './target-name';
import { TargetRollout } from './target-rollout';
import css from './extension.module.css';

/** An extension: its status at each store, and the status of each version there. */
export function ExtensionPage({ params: { id = '' } }: PageProps): ReactElement {
  const stores = useStores();
  const targets = useTargets(id);
  const releases = useReleases(id);
  const artifacts = useArtifacts(id);
  const { data: places } = targets;
  const { problem } = together(targets, releases, artifacts);
  const isThere = places !== undefined && releases.data !== undefined && artifacts.data !== undefined;
  return (
    <ExtensionFrame id={id} reads={[stores, targets, releases, artifacts]}>
      {(places !== undefined || problem === null) && <StoresOf id={id} targets={places} stores={stores.data} />}
      {(isThere || problem === null) && (
        <section className={css.section} aria-labelledby="versions" data-cards>
          <h2 id="versions">Versions</h2>
          {isThere ? (
            <Matrix id={id} targets={places} rows={rowsOf(releases.data, artifacts.data)} />
          ) : (
            <Skeleton label="versions" lines={6} />
          )}
        </section>
      )}
    </ExtensionFrame>
  );
}

interface StoresOfProps {
  readonly id: string;
  readonly targets: readonly Target[] | undefined;
  readonly stores: readonly StoreDescription[] | undefined;
}

function StoresOf({ id, targets, stores }: StoresOfProps): ReactElement {
  const mayWrite = useSession().can('extensions:write');
  return (
    <section className={css.section} aria-labelledby="stores" data-cards>
      <div className={css.heading}>
        <h2 id="stores">Stores</h2>
        {mayWrite && <AddTarget id={id} stores={stores} />}
      </div>
      <Table
        caption="Stores"
        rows={targets}
        rowKey={(target) => target.id}
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
          {
            title: 'Live',
            cell: (target) =>
              target.rollout === null ? (
                <span className={css.whole}>{target.status.liveVersion ?? '—'}</span>
              ) : (
                <TargetRollout target={target} name={targetName(target, targets ?? [])} rollout={target.rollout} />
              ),
          },
          { title: 'Now', cell: (target) => <Now target={target} /> },
          ...(mayWrite
            ? [
                {
                  title: 'Actions',
                  isEnd: true,
                  cell: (target: Target) => (
                    <div className={css.inRow}>
                      <TargetActions
                        target={target}
                        name={targetName(target, targets ?? [])}
                        store={stores?.find((one) => one.id === target.store)}
                      />
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

function Now({ target: { status, display } }: { readonly target: Target }): ReactElement {
  const isMoving = display.tone !== 'live' && status.phase !== 'disabled';
  return (
    <div className={css.now}>
      <Status state={display.tone}>
        {isMoving && status.desiredVersion !== null && `${status.desiredVersion} `}
        {display.word}
      </Status>
      {isMoving && <Words text={status.message} />}
    </div>
  );
}

/** A version: as it was pushed, and where it is. */
interface VersionRow {
  readonly version: string;
  readonly artifact: Artifact | undefined;
  readonly releases: readonly Release[];
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
    (one) => !out.some(({ version, artifact }) => artifact === one || version === one.storeVersion),
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
          <p>Each version that you push appears here, with its status at each store.</p>
        </Empty>
      }
      columns={[
        {
          title: 'Version',
          cell: ({ version, artifact }) => (
            <div className={css.now}>
              <Link href={versionPath(id, version)}>{version}</Link>
              {artifact !== undefined && (
                <small className={css.whole}>
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
      {releases.map(({ platform, display, at }) => (
        <div key={platform} className={css.now}>
          <Status state={display.tone}>
            {display.word}
            {ofPlatform(platform)}
          </Status>
          <small>
            <Time at={at} />
          </small>
        </div>
      ))}
    </div>
  );
}
