import type { CSSProperties, ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api';
import {
  ButtonLink,
  classes,
  clock,
  counted,
  date,
  Detail,
  Empty,
  exact,
  Hidden,
  lasting,
  Status,
  StoreIcon,
  useNow,
  Words,
} from '../../ui';
import type { StoreDescription, Target } from './data';
import { axisOf, stretchesOf, ticksOf, type Axis, type Stretch, type Way } from './lanes';
import { usually } from './outlook';
import { TargetActions } from './target-actions';
import { targetName } from './target-name';
import { TargetRollout } from './target-rollout';
import css from './lanes.module.css';

interface LanesProps {
  readonly id: string;
  readonly targets: readonly Target[];
  readonly releases: readonly Schemas['VersionReleases'][];
  /** Undefined while they are loaded. */
  readonly stores: readonly StoreDescription[] | undefined;
}

/** The versions of a target, newest first. Where a store has several platforms, the first stands for all. */
const waysAt = ({ id }: Target, releases: readonly Schemas['VersionReleases'][]): readonly Way[] =>
  releases.flatMap(({ version, targets }) => {
    const release = targets.find(({ targetId }) => targetId === id);
    return release === undefined ? [] : [{ ...release, version }];
  });

/** Each store with its state, what can be done there, and the way of its last versions on a time axis that all share. */
export function Lanes({ id, targets, releases, stores }: LanesProps): ReactElement {
  const now = useNow();
  const lanes = targets.map((target) => ({
    target,
    ways: waysAt(target, releases),
    usual: target.usualReview,
  }));
  const axis = axisOf(lanes, now);
  if (targets.length === 0)
    return <Empty title="No targets">Add one for a store that this extension is published at.</Empty>;
  return (
    <>
      <ul className={css.lanes} aria-label="Stores">
        {lanes.map(({ target, ways, usual }) => (
          <li key={target.id} className={css.lane}>
            <Head id={id} target={target} name={targetName(target, targets)} stores={stores} />
            {axis !== null && ways.length > 0 && (
              <>
                <Track axis={axis} stretches={stretchesOf({ ways, usual }, axis)} />
                <InWords ways={ways} />
              </>
            )}
          </li>
        ))}
      </ul>
      {axis !== null && <Scale axis={axis} />}
    </>
  );
}

interface HeadProps {
  readonly id: string;
  readonly target: Target;
  readonly name: string;
  readonly stores: readonly StoreDescription[] | undefined;
}

function Head({ id, target, name, stores }: HeadProps): ReactElement {
  const { status, display, rollout, users, usualReview, enabled } = target;
  const isMoving = display.tone !== 'live' && enabled;
  const version = isMoving ? status.desiredVersion : status.liveVersion;
  const facts = [
    isMoving && status.liveVersion !== null && `${status.liveVersion} live`,
    users !== null && rollout === null && counted(users, 'user'),
    usualReview !== null && `reviews usually take ${usually(usualReview)}`,
  ].filter((fact) => fact !== false);
  const href = `/extensions/${id}/targets/${target.id}`;
  const isUnset = !enabled || status.missing.length > 0;
  return (
    <>
      <div className={css.head}>
        <h3>
          <Link href={href}>
            <StoreIcon store={target.store} /> {name}
          </Link>
        </h3>
        <Status state={display.tone}>
          {version !== null && enabled && `${version} `}
          {display.word}
        </Status>
        <Detail>{facts.join(' · ')}</Detail>
        <div className={css.acts}>
          {isUnset ? (
            <ButtonLink href={href} kind="quiet">
              Set up<Hidden> {name}</Hidden>
            </ButtonLink>
          ) : (
            <TargetActions target={target} name={name} store={stores?.find((one) => one.id === target.store)} />
          )}
        </div>
      </div>
      {isMoving && (
        <p className={css.message}>
          <Words text={status.message} />
        </p>
      )}
      {rollout !== null && <TargetRollout target={target} name={name} rollout={rollout} />}
    </>
  );
}

const place = (from: number, to = from): CSSProperties => ({
  insetInlineStart: `${from * 100}%`,
  width: `${(to - from) * 100}%`,
});

const KINDS = {
  pushed: 'pushed',
  review: 'in review',
  approved: 'approved',
  rejected: 'rejected',
  live: 'live',
  expected: 'usual end of the review',
} as const satisfies Readonly<Record<Stretch['kind'], string>>;

/** The drawing of a lane, which `InWords` has for those who cannot see it. */
function Track({ axis, stretches }: { readonly axis: Axis; readonly stretches: readonly Stretch[] }): ReactElement {
  const timeAt = (share: number): string => exact(new Date(axis.from + share * (axis.to - axis.from)));
  return (
    <div className={css.track} aria-hidden>
      {ticksOf(axis).map(({ at, time }) => (
        <span key={time} className={css.line} style={place(at)} />
      ))}
      <span className={classes(css.line, css.present)} style={place((axis.now - axis.from) / (axis.to - axis.from))} />
      {stretches.map(({ version, kind, from, to }) => (
        <span
          key={`${version} ${kind}`}
          className={classes(css.stretch, css[kind])}
          style={place(from, to)}
          title={`${version} ${KINDS[kind]}: ${timeAt(from)} – ${timeAt(to)}`}
        >
          {(kind === 'live' || kind === 'review') && <b>{version}</b>}
        </span>
      ))}
    </div>
  );
}

const SAID = 5;

/** The way of a version in words. */
function sentenceOf({ version, state, at, pushedAt, submittedAt, decidedAt, liveAt }: Way): string {
  const took = submittedAt !== null && decidedAt !== null && (Date.parse(decidedAt) - Date.parse(submittedAt)) / 1000;
  return [
    `${version}: pushed ${exact(pushedAt)}`,
    submittedAt !== null && took === false && `in review since ${exact(submittedAt)}`,
    took !== false && `reviewed in ${lasting(took)}`,
    liveAt !== null && `live since ${exact(liveAt)}`,
    state !== 'live' && state !== 'in_review' && `${state.replace('_', ' ')} since ${exact(at)}`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

const InWords = ({ ways }: { readonly ways: readonly Way[] }): ReactElement => (
  <Hidden>
    {ways.slice(0, SAID).map((way) => (
      <span key={way.version}>{sentenceOf(way)}. </span>
    ))}
  </Hidden>
);

/** Right of this, a mark's words are left of it. */
const LATE = 0.85;
const KEYS = ['pushed', 'review', 'approved', 'rejected', 'live', 'expected'] as const;

function Scale({ axis }: { readonly axis: Axis }): ReactElement {
  return (
    <div className={css.scale} aria-hidden>
      <div className={css.ticks}>
        {ticksOf(axis).map(({ at, time, isDay }) => (
          <span key={time} className={classes(at > LATE && css.late)} style={{ insetInlineStart: `${at * 100}%` }}>
            {isDay ? date(time) : clock(time)}
          </span>
        ))}
      </div>
      <ul className={css.keys}>
        {KEYS.map((kind) => (
          <li key={kind}>
            <span className={classes(css.key, css[kind])} />
            {KINDS[kind]}
          </li>
        ))}
      </ul>
    </div>
  );
}
