import { Fragment, type ReactElement } from 'react';
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
  OutLink,
  PageHeader,
  ProblemNote,
  Skeleton,
  Status,
  platformName,
  STORES,
  Time,
  Words,
} from '../../ui';
import {
  useArtifacts,
  useExtension,
  useReleases,
  useTargets,
  numbersOf,
  useVersionEvents,
  type Artifact,
  type Release,
  type Target,
} from './data';
import { Findings, useFindings, type Finding } from './finding-list';
import { concerning, heldAt } from './findings';
import { Inquiry } from './inquiry';
import { PrivacyTexts } from './privacy-texts';
import { RejectionSheet } from './rejection';
import { stagesOf, type Stage } from './stages';
import { receiverName, targetName } from './target-name';
import css from './extension.module.css';

type Event = Schemas['TimelineEvent'];
/** A release with its version as the store shows it. */
type VersionRelease = Release & { readonly version: string };

/** A version: its way into each store, and what was pushed. */
export function VersionPage({ params: { id = '', version = '' } }: PageProps): ReactElement {
  const extension = useExtension(id);
  const targets = useTargets(id);
  const artifacts = useArtifacts(id);
  const releases = useReleases(id);
  const numbers = artifacts.data === undefined ? [] : numbersOf(version, artifacts.data);
  const events = useVersionEvents(id, numbers);
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
          extension={name}
          targets={targets.data ?? []}
          artifacts={artifacts.data ?? []}
          releases={
            releases.data?.flatMap((one) =>
              numbers.includes(one.version) ? one.targets.map((release) => ({ ...release, version: one.version })) : [],
            ) ?? []
          }
          numbers={numbers}
          events={events.data ?? []}
        />
      )}
    </>
  );
}

interface ReleasesProps {
  readonly id: string;
  /** The version as it was pushed, and as stores show it. */
  readonly numbers: readonly string[];
  readonly extension: string;
  readonly targets: readonly Target[];
  readonly artifacts: readonly Artifact[];
  readonly releases: readonly VersionRelease[];
  readonly events: readonly Event[];
}

function Releases({ id, numbers, extension, targets, artifacts, releases, events }: ReleasesProps): ReactElement {
  const pushed = artifacts.filter(
    (one) => numbers.includes(one.version) || releases.some(({ artifactId }) => artifactId === one.id),
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
      {releases.length === 0 && pushed.length > 0 && hasAnswered(found.data, found.problem) && (
        <NotOnItsWay held={heldBy(found.data ?? [], targets)} unapproved={unapprovedOf(numbers, targets)} />
      )}
      {releases.map((release) => (
        <ReleaseRow
          key={`${release.targetId} ${release.platform}`}
          release={release}
          target={targets.find((one) => one.id === release.targetId)}
          targets={targets}
          events={events}
          pushed={pushed}
          extension={extension}
        />
      ))}
      {found.problem !== null && <ProblemNote problem={found.problem} onRetry={found.retry} />}
      {found.data !== undefined && <Findings found={found.data} targets={targets} artifacts={artifacts} />}
      {hasAnswered(found.data, found.problem) ? (
        pushed.map((artifact) => <Pushed key={artifact.id} artifact={artifact} targets={targets} />)
      ) : (
        <Skeleton label="findings" />
      )}
    </>
  );
}

/** The stores to which a version that has not set out is not sent because of findings. */
const heldBy = (
  found: readonly { readonly artifact: Artifact; readonly findings: readonly Finding[] }[],
  targets: readonly Target[],
): readonly string[] => [
  ...new Set(
    found.flatMap(({ artifact, findings }) =>
      heldAt(concerning(findings, artifact, targets), targets).map(({ store }) => STORES[store]),
    ),
  ),
];

/** The target that says what another person has decided about a version that has not set out, or that nobody has yet. */
const unapprovedOf = (numbers: readonly string[], targets: readonly Target[]): Target | undefined =>
  targets.find(({ status }) => status.approval !== null && numbers.includes(status.desiredVersion ?? ''));

interface NotOnItsWayProps {
  readonly held: readonly string[];
  readonly unapproved: Target | undefined;
}

function NotOnItsWay({ held, unapproved }: NotOnItsWayProps): ReactElement {
  if (unapproved !== undefined)
    return (
      <Empty title={unapproved.status.approval === 'waiting' ? 'Waits for approval' : 'Not approved'}>
        <p>
          <Words text={unapproved.status.message} />
        </p>
      </Empty>
    );
  if (held.length === 0)
    return (
      <Empty title="Not on its way yet">
        <p>No enabled store has begun with it.</p>
      </Empty>
    );
  return (
    <Empty title="Held by findings">
      <p>
        {new Intl.ListFormat('en').format(held)} would refuse it, so Pierhead holds it. Push a mended package under the
        same number, or override what is found below.
      </p>
    </Empty>
  );
}

interface ReleaseRowProps {
  readonly release: VersionRelease;
  readonly target: Target | undefined;
  readonly targets: readonly Target[];
  readonly events: readonly Event[];
  readonly pushed: readonly Artifact[];
  readonly extension: string;
}

/** The way of a version into one store. */
function ReleaseRow({ release, target, targets, events, pushed, extension }: ReleaseRowProps): ReactElement {
  const own = events.filter(({ targetId }) => targetId === null || targetId === release.targetId);
  const stages = stagesOf(release, own, pushed[0]?.createdAt ?? null);
  const name = `${target === undefined ? release.store : targetName(target, targets)}${ofPlatform(release.platform)}`;
  const isCurrent =
    target !== undefined && [target.status.desiredVersion, target.status.submittedVersion].includes(release.version);
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
      {target !== undefined && release.rejection !== null ? (
        <RejectionSheet
          release={release}
          rejection={release.rejection}
          target={target}
          name={name}
          version={release.version}
        />
      ) : (
        words !== null && (
          <p>
            <Words text={words} />
          </p>
        )
      )}
      <PrivacyTexts target={target} pushed={pushed} release={release} />
      {target?.store === 'edge' && (
        <Inquiry
          inquiry={{ extension, target, version: release.version, release, submittedAt: stages[2]?.at ?? null }}
        />
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

interface PushedProps {
  readonly artifact: Artifact;
  readonly targets: readonly Target[];
}

function Pushed({ artifact, targets }: PushedProps): ReactElement {
  const receiver = receiverName(artifact, targets);
  return (
    <section className={css.section} aria-label="Package">
      <h2>{receiver === null ? 'Package' : `Package for ${receiver}`}</h2>
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
        {artifact.commit !== null && (
          <>
            <dt>Commit</dt>
            <dd>
              {artifact.pushedFrom?.commit === artifact.commit && artifact.pushedFrom.commitUrl !== null ? (
                <OutLink href={artifact.pushedFrom.commitUrl}>{artifact.commit}</OutLink>
              ) : (
                <code>{artifact.commit}</code>
              )}
            </dd>
          </>
        )}
        {artifact.platform !== null && (
          <>
            <dt>App</dt>
            <dd>
              {platformName(artifact.platform)}, build {artifact.buildNumber}
            </dd>
          </>
        )}
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
        {Object.entries(artifact.localizedNotes ?? {}).map(([locale, text]) => (
          <Fragment key={locale}>
            <dt>What is new ({locale})</dt>
            <dd>
              <Words text={text} />
            </dd>
          </Fragment>
        ))}
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
