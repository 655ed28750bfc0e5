import { Fragment, useDeferredValue, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api';
import { Ring, Share, Steps } from '../../rollout';
import { isUsed } from '../../setup';
import { Empty, Hidden, number, Status, STORES, Table, Time, type Column, type StoreId } from '../../ui';
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
      {phaseSince !== null && !paused && <Time at={phaseSince} />}
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
    {name}, {STORES[store]}:{' '}
  </Hidden>
);

/** A store to which the extension does not go; it leads to what would change that. */
function Unused({ extension, store }: CellProps): ReactElement {
  const target = extension.targets.find((one) => one.store === store);
  const words = (
    <span className={css.none}>
      <span aria-hidden>–</span>
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
        {STORES[store]}
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

interface MatrixProps {
  readonly extensions: readonly Extension[];
  readonly more: (() => void) | null;
  readonly isFetchingMore: boolean;
}

/** As many as fill a screen are shown first, and the others once these are painted. */
const AT_FIRST = 24;

/** Every extension at every store that any of them uses. */
export function Matrix({ extensions, more, isFetchingMore }: MatrixProps): ReactElement {
  const shown = useDeferredValue(extensions, extensions.slice(0, AT_FIRST));
  const all = Object.keys(STORES) as StoreId[];
  const used = all.filter((store) =>
    extensions.some(({ targets }) => targets.some((one) => one.store === store && isUsed(one))),
  );
  const columns: readonly Column<Extension>[] = [
    {
      title: 'Extension',
      cell: ({ id, name, activeInstalls }) => (
        <div className={css.extension}>
          <Link href={`/extensions/${id}`} title={name}>
            {name}
          </Link>
          {activeInstalls !== null && <span className={css.active}>{number(activeInstalls)} active</span>}
        </div>
      ),
    },
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
        empty={<Empty title="No extensions yet" />}
        more={more}
        isFetchingMore={isFetchingMore}
      />
    </div>
  );
}
