import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { Redirect } from 'wouter';
import type { Schemas } from '../../api';
import { useSession } from '../../session';
import { useOverview } from '../../setup';
import { Button, Empty, PageHeader, ProblemNote, Skeleton } from '../../ui';
import css from './home.module.css';
import { isSetUp, shows } from './filter';
import { FilterBar, useFilter } from './filter-bar';
import { GetStarted } from './get-started';
import { useKept } from './kept';
import { Matrix } from './matrix';
import { NeedsYou } from './needs-you';
import { Register } from './register';
import { Week } from './week';

/** Needs for attention, the state of every extension at every store, and the figures of the week. */
export function HomePage(): ReactElement {
  const { can } = useSession();
  const { items, first, problem, more, isFetchingMore, retry } = useOverview('attention');
  const isEmpty = items?.length === 0;
  if (isEmpty && can('extensions:write')) return <Redirect to="/start" replace />;
  return (
    <>
      <PageHeader title="Home" actions={items !== undefined && can('extensions:write') && <Register />} />
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {items === undefined && problem === null && <Skeleton label="your extensions" lines={8} />}
      {isEmpty && <NoExtensions />}
      {items !== undefined && !isEmpty && can('extensions:write') && <GetStarted extensions={items} />}
      {first !== undefined && <NeedsYou needs={first.needs} />}
      {items !== undefined && !isEmpty && (
        <>
          <Extensions all={items} more={more} isFetchingMore={isFetchingMore} hasFailed={problem !== null} />
          <Week />
        </>
      )}
    </>
  );
}

/** For those who cannot register one; the others are led to the first steps. */
const NoExtensions = (): ReactElement => (
  <Empty title="No extensions yet">
    <p>Each extension appears here with its version at each store. An owner, admin or publisher registers the first.</p>
  </Empty>
);

interface ExtensionsProps {
  readonly all: readonly Schemas['OverviewExtension'][];
  readonly more: (() => void) | null;
  readonly isFetchingMore: boolean;
  /** Whether the last reading failed. */
  readonly hasFailed: boolean;
}

/** As many are seen at a glance, without a filter. */
const AT_A_GLANCE = 6;

/** The extensions that the filter shows: the starred ones first, and those that go to no store behind a button. */
function Extensions({ all, more, isFetchingMore, hasFailed }: ExtensionsProps): ReactElement {
  const filter = useFilter();
  const [{ stars }] = useKept();
  const [isUnfolded, setUnfolded] = useState(false);
  const isFiltered = filter.words !== '' || filter.state !== null;
  // What is on a later page can match, too.
  useEffect(() => {
    if (isFiltered && !isFetchingMore && !hasFailed) more?.();
  }, [isFiltered, isFetchingMore, hasFailed, more]);
  const starred = useMemo(() => new Set(stars), [stars]);
  const matching = all
    .filter((one) => shows(filter, one, starred))
    .toSorted((one, other) => Number(starred.has(other.id)) - Number(starred.has(one.id)));
  const used = matching.filter(isSetUp);
  const folded = isFiltered || used.length === 0 ? 0 : matching.length - used.length;
  return (
    <>
      {(all.length > AT_A_GLANCE || isFiltered) && <FilterBar />}
      <Matrix
        extensions={folded > 0 && !isUnfolded ? used : matching}
        starred={starred}
        more={more}
        isFetchingMore={isFetchingMore}
        empty={
          more === null ? (
            <Empty title="No extension matches" />
          ) : (
            !hasFailed && <Skeleton label="more extensions" lines={6} />
          )
        }
      />
      {folded > 0 && (
        <p className={css.fold}>
          <Button kind="quiet" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? 'Hide' : 'Show'} {folded} not set up
          </Button>
        </p>
      )}
    </>
  );
}
