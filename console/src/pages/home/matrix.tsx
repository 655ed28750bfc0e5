import { Fragment, useDeferredValue, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api';
import { Ring, Share, Steps } from '../../rollout';
import { useSession } from '../../session';
import { isUsed } from '../../setup';
import {
  counted,
  ExtensionIcon,
  Hidden,
  number,
  PushIcon,
  Sparkline,
  StarIcon,
  Status,
  StoreName,
  STORES,
  Table,
  Time,
  type Column,
  type StoreId,
} from '../../ui';
import { useKept } from './kept';
import { withStar } from './kept-list';
import css from './home.module.css';

type Extension = Schemas['OverviewExtension'];
type Target = Schemas['OverviewTarget'];

/** Version that users get, and their share. */
function Live({ target: { liveVersion, phase, rollout } }: { readonly target: Target }): ReactElement {
  if (rollout !== null)
    return (
      <>
        <span className={css.offered}>
          <Ring rollout={rollout} />
          {rollout.version}
          <Hidden> live</Hidden>
        </span>
        <span className={css.share}>
          <Share rollout={rollout} />
        </span>
      </>
    );
  if (liveVersion === null) return <span className={css.none}>nothing live</span>;
  return phase === 'live' ? (
    <Status state="live">
      {liveVersion}
      <Hidden> live</Hidden>
    </Status>
  ) : (
    <span>
      {liveVersion}
      <Hidden> live</Hidden>
    </span>
  );
}

/** Version that is on its way, its state, and the time since it is in that state. */
function OnItsWay({ target }: { readonly target: Target }): ReactElement | null {
  const { phase, phaseSince, submittedVersion, desiredVersion, liveVersion, paused, display } = target;
  const version = submittedVersion ?? desiredVersion;
  if ((display.tone === 'live' || phase === 'idle') && !paused) return null;
  return (
    <span className={css.way}>
      <Status state={display.tone}>
        {version !== null && version !== liveVersion && `${version} `}
        {display.word}
      </Status>
      {phaseSince !== null && !paused && <Time at={phaseSince} isShort />}
    </span>
  );
}

interface CellProps {
  readonly extension: Extension;
  readonly store: StoreId;
}

const targetPath = ({ id }: Extension, target: Target): string => `/extensions/${id}/targets/${target.id}`;

/** Subject of a cell, which its row and column show to sighted people. */
const Where = ({ extension: { name }, store }: CellProps): ReactElement => (
  <Hidden>
    <bdi>{name}</bdi>, {STORES[store]}:{' '}
  </Hidden>
);

/** A store to which the extension does not go; it leads to what would change that. */
function Unused({ extension, store }: CellProps): ReactElement {
  const target = extension.targets.find((one) => one.store === store);
  const words = (
    <span className={css.none}>
      <span aria-hidden>—</span>
      <Hidden>not published there</Hidden>
    </span>
  );
  if (target === undefined) return words;
  return (
    <Link href={targetPath(extension, target)} className={css.place}>
      <Where extension={extension} store={store} />
      {words}
    </Link>
  );
}

function Cell({ extension, store }: CellProps): ReactElement {
  const targets = extension.targets.filter((target) => target.store === store && isUsed(target));
  return (
    <div className={css.cell}>
      <span className={css.where} aria-hidden>
        <StoreName store={store} />
      </span>
      <div>
        {targets.length === 0 && <Unused extension={extension} store={store} />}
        {targets.map((target) => (
          <Fragment key={target.id}>
            <Link href={targetPath(extension, target)} className={css.place}>
              <Where extension={extension} store={store} />
              {targets.length > 1 && target.channel !== null && <span className={css.channel}>{target.channel}</span>}
              <Live target={target} />
              <OnItsWay target={target} />
            </Link>
            {target.rollout !== null && (
              <Steps
                place={{
                  extensionId: extension.id,
                  targetId: target.id,
                  name: STORES[store],
                  of: extension.name,
                  rollout: target.rollout,
                }}
                isShort
              />
            )}
          </Fragment>
        ))}
      </div>
    </div>
  );
}

/** Users that stores count, or installs that sent a ping. */
function sizeOf({ users, activeInstalls }: Extension): string | null {
  if (users !== null) return counted(users, 'user');
  return activeInstalls === null ? null : `${number(activeInstalls)} active`;
}

/** An extension with its icon and its size, the way to its next version, and the star that puts it first. */
function Name({ extension, isStarred }: { readonly extension: Extension; readonly isStarred: boolean }): ReactElement {
  const { id, name } = extension;
  const { can } = useSession();
  const [, keep] = useKept();
  const size = sizeOf(extension);
  return (
    <div className={css.extension}>
      <ExtensionIcon id={id} />
      <div className={css.named}>
        <Link href={`/extensions/${id}`} title={name} dir="auto">
          {name}
        </Link>
        {size !== null && <span className={css.active}>{size}</span>}
      </div>
      <span className={css.acts}>
        {can('artifacts:write') && (
          <Link
            href={`/extensions/${id}/push`}
            className={css.act}
            aria-label={`Push a version of ${name}`}
            title="Push a version"
          >
            <PushIcon />
          </Link>
        )}
        <button
          type="button"
          className={css.act}
          aria-pressed={isStarred}
          aria-label={`Star ${name}`}
          onClick={() => keep((kept) => withStar(kept, id))}
        >
          <StarIcon isFilled={isStarred} />
        </button>
      </span>
    </div>
  );
}

const TREND_OF = { installs: 'Installs a day', users: 'Users' } as const;

interface MatrixProps {
  readonly extensions: readonly Extension[];
  /** Ids of the starred ones. */
  readonly starred: ReadonlySet<string>;
  readonly more: (() => void) | null;
  readonly isFetchingMore: boolean;
  /** Shown where there is none. */
  readonly empty: ReactNode;
}

/** As many as fill a screen are shown first, and the others once these are painted. */
const AT_FIRST = 24;

/** Every extension at every store that any of them uses. */
export function Matrix({ extensions, starred, more, isFetchingMore, empty }: MatrixProps): ReactElement {
  const shown = useDeferredValue(extensions, extensions.slice(0, AT_FIRST));
  const all = Object.keys(STORES) as StoreId[];
  const used = all.filter((store) =>
    extensions.some(({ targets }) => targets.some((one) => one.store === store && isUsed(one))),
  );
  const columns: readonly Column<Extension>[] = [
    {
      title: 'Extension',
      cell: (extension) => <Name extension={extension} isStarred={starred.has(extension.id)} />,
    },
    ...(extensions.some(({ trend }) => trend !== null)
      ? [
          {
            title: '28 days',
            cell: ({ trend }: Extension) =>
              trend !== null && <Sparkline values={trend.days} label={TREND_OF[trend.of]} />,
          },
        ]
      : []),
    ...(used.length === 0 ? all : used).map((store) => ({
      title: STORES[store],
      cell: (extension: Extension) => <Cell extension={extension} store={store} />,
    })),
  ];
  return (
    <div className={css.matrix}>
      <Table
        caption="Extensions"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        empty={empty}
        more={more}
        isFetchingMore={isFetchingMore}
      />
    </div>
  );
}
