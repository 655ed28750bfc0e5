import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { together, useStores } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import { bytes, Empty, ofPlatform, Skeleton, Status, Table, Time } from '../../ui';
import { Adoption } from './adoption-section';
import { AddTarget } from './add-target';
import { useArtifacts, useReleases, useTargets, versionPath, type Artifact, type Release, type Target } from './data';
import { ExtensionFrame } from './extension-frame';
import { Lanes } from './store-lanes';
import { targetName } from './target-name';
import css from './extension.module.css';

/** An extension: each store with the way of its last versions, and the status of each version there. */
export function ExtensionPage({ params: { id = '' } }: PageProps): ReactElement {
  const stores = useStores();
  const targets = useTargets(id);
  const releases = useReleases(id);
  const artifacts = useArtifacts(id);
  const { can } = useSession();
  const { problem } = together(targets, releases, artifacts);
  const isThere = targets.data !== undefined && releases.data !== undefined && artifacts.data !== undefined;
  return (
    <ExtensionFrame id={id} reads={[stores, targets, releases, artifacts]}>
      {!isThere && problem === null && <Skeleton label="stores and versions" lines={6} />}
      {isThere && (
        <>
          <section className={css.section} aria-labelledby="stores">
            <div className={css.heading}>
              <h2 id="stores">Stores</h2>
              {can('extensions:write') && <AddTarget id={id} stores={stores.data} />}
            </div>
            <Lanes id={id} targets={targets.data} releases={releases.data} stores={stores.data} />
          </section>
          {can('analytics:read') && <Adoption id={id} />}
          <section className={css.section} aria-labelledby="versions" data-cards>
            <h2 id="versions">Versions</h2>
            <Matrix id={id} targets={targets.data} rows={rowsOf(releases.data, artifacts.data)} />
          </section>
        </>
      )}
    </ExtensionFrame>
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
