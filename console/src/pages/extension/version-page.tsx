import type { ReactElement } from 'react';
import { hasAnswered, together, type Schemas } from '../../api';
import type { PageProps } from '../../page-props';
import {
  AttentionIcon,
  bytes,
  CheckIcon,
  CopyField,
  CrossIcon,
  DashIcon,
  Empty,
  Hidden,
  MovingIcon,
  ofPlatform,
  PageHeader,
  ProblemNote,
  Skeleton,
  Status,
  STORES,
  Time,
  Words,
} from '../../ui';
import {
  useArtifacts,
  useExtension,
  useReleases,
  useTargets,
  useVersionEvents,
  type Artifact,
  type Release,
  type Target,
} from './data';
import { Findings, useFindings } from './finding-list';
import { Inquiry } from './inquiry';
import { stagesOf, type Stage } from './stages';
import { targetName } from './target-name';
import css from './extension.module.css';

type Event = Schemas['TimelineEvent'];

/** A version: its way into each store, and what was pushed. */
export function VersionPage({ params: { id = '', version = '' } }: PageProps): ReactElement {
  const extension = useExtension(id);
  const targets = useTargets(id);
  const artifacts = useArtifacts(id);
  const releases = useReleases(id);
  const events = useVersionEvents(id, version);
  const reads = [extension, targets, artifacts, releases, events];
  const { problem, retry } = together(...reads);
  const note = problem && <ProblemNote problem={problem} onRetry={retry} />;
  const name = extension.data?.name ?? 'Extension';
  const all = [targets.data, artifacts.data, releases.data, events.data] as const;
  const isThere = all.every((one) => one !== undefined);
  return (
    <>
      <PageHeader title={version} back={{ href: `/extensions/${id}`, label: name }} />
      {note ?? (!isThere && <Skeleton label="version" lines={6} />)}
      {isThere && (
        <Releases
          id={id}
          version={version}
          extension={name}
          targets={targets.data ?? []}
          artifacts={artifacts.data ?? []}
          releases={releases.data?.find((one) => one.version === version)?.targets ?? []}
          events={events.data ?? []}
        />
      )}
    </>
  );
}

interface ReleasesProps {
  readonly id: string;
  readonly version: string;
  readonly extension: string;
  readonly targets: readonly Target[];
  readonly artifacts: readonly Artifact[];
  readonly releases: readonly Release[];
  readonly events: readonly Event[];
}

function Releases({ id, version, extension, targets, artifacts, releases, events }: ReleasesProps): ReactElement {
  const pushed = artifacts.filter(
    (one) => one.version === version || releases.some(({ artifactId }) => artifactId === one.id),
  );
  const withPackage = pushed.filter(({ sha256 }) => sha256 !== null);
  const found = useFindings(id, withPackage);
  return (
    <>
      {releases.length === 0 && pushed.length === 0 && (
        <Empty title="No such version">
          <p>It was not pushed, or its extension has many newer ones.</p>
        </Empty>
      )}
      {releases.length === 0 && pushed.length > 0 && (
        <Empty title="Not on its way yet">
          <p>No enabled store has begun with it.</p>
        </Empty>
      )}
      {releases.map((release) => (
        <ReleaseRow
          key={`${release.targetId} ${release.platform}`}
          release={release}
          target={targets.find((one) => one.id === release.targetId)}
          targets={targets}
          events={events}
          pushedAt={pushed[0]?.createdAt ?? null}
          version={version}
          extension={extension}
        />
      ))}
      {found.problem !== null && <ProblemNote problem={found.problem} onRetry={found.retry} />}
      {found.data !== undefined && <Findings found={found.data} targets={targets} artifacts={artifacts} />}
      {hasAnswered(found.data, found.problem) ? (
        pushed.map((artifact) => <Pushed key={artifact.id} artifact={artifact} />)
      ) : (
        <Skeleton label="findings" />
      )}
    </>
  );
}

interface ReleaseRowProps {
  readonly release: Release;
  readonly target: Target | undefined;
  readonly targets: readonly Target[];
  readonly events: readonly Event[];
  readonly pushedAt: string | null;
  readonly version: string;
  readonly extension: string;
}

/** The way of a version into one store. */
function ReleaseRow({ release, target, targets, events, pushedAt, version, extension }: ReleaseRowProps): ReactElement {
  const own = events.filter(({ targetId }) => targetId === null || targetId === release.targetId);
  const stages = stagesOf(release, own, pushedAt);
  const name = `${target === undefined ? release.store : targetName(target, targets)}${ofPlatform(release.platform)}`;
  const isCurrent =
    target !== undefined && [target.status.desiredVersion, target.status.submittedVersion].includes(version);
  const words =
    release.refusal ??
    (isCurrent ? target.status.message : (own.find(({ targetId }) => targetId !== null)?.message ?? null));
  return (
    <section className={css.section} aria-label={name}>
      <h2>{name}</h2>
      <Status state={release.display.tone}>{release.display.word}</Status>
      <ol className={css.stages}>
        {stages.map((stage) => (
          <Stop key={stage.name} stage={stage} />
        ))}
      </ol>
      {words !== null && (
        <p>
          <Words text={words} />
        </p>
      )}
      {target?.store === 'edge' && (
        <Inquiry inquiry={{ extension, target, version, release, submittedAt: stages[2]?.at ?? null }} />
      )}
    </section>
  );
}

const ICONS = { done: CheckIcon, now: MovingIcon, needed: AttentionIcon, stopped: CrossIcon, later: DashIcon } as const;
const STATES = {
  done: 'done',
  now: 'here now',
  needed: 'waits for you',
  stopped: 'stopped here',
  later: 'to come',
} as const;

function Stop({ stage: { name, state, at } }: { readonly stage: Stage }): ReactElement {
  const Icon = ICONS[state];
  return (
    <li className={css[state]}>
      <Icon />
      <span>
        {name} <Hidden>({STATES[state]})</Hidden>
      </span>
      <small>{at === null ? '' : <Time at={at} />}</small>
    </li>
  );
}

function Pushed({ artifact }: { readonly artifact: Artifact }): ReactElement {
  return (
    <section className={css.section} aria-label="Package">
      <h2>{artifact.store === null ? 'Package' : `Package for ${STORES[artifact.store]}`}</h2>
      <dl className={css.facts}>
        <dt>Pushed</dt>
        <dd>
          <Time at={artifact.createdAt} />
          {artifact.pushedBy !== null && (
            <>
              {' by '}
              <bdi>{artifact.pushedBy}</bdi>
            </>
          )}
        </dd>
        {artifact.size !== null && (
          <>
            <dt>Size</dt>
            <dd>{bytes(artifact.size)}</dd>
          </>
        )}
        {artifact.rollbackOf !== null && (
          <>
            <dt>Brings back</dt>
            <dd>{artifact.rollbackOf}</dd>
          </>
        )}
        {artifact.notes !== null && (
          <>
            <dt>{artifact.rollbackOf === null ? 'What is new' : 'Reason'}</dt>
            <dd>
              <Words text={artifact.notes} />
            </dd>
          </>
        )}
        {artifact.reviewerNotes !== null && (
          <>
            <dt>For reviewers</dt>
            <dd>
              <Words text={artifact.reviewerNotes} />
            </dd>
          </>
        )}
      </dl>
      {artifact.sha256 !== null && <CopyField label="SHA-256" value={artifact.sha256} />}
    </section>
  );
}
