import type { ReactElement } from 'react';
import { answer, api, useRead, type Schemas } from '../../api';
import { day, percent, ProblemNote, STORES, Table } from '../../ui';
import { curvesOf, DAYS, type Curve } from './adoption';
import css from './adoption.module.css';

const REACH_MS = 89 * 86_400_000;

/** Who counted, and the curves that follow; null where nobody counts versions. */
function adoptionOf(
  report: Schemas['AnalyticsReport'],
  { stores }: Schemas['StoreReport'],
): { readonly by: string; readonly curves: readonly Curve[] } | null {
  const points = report.adoption.points.map(({ date, installs }) => ({ date, counts: installs }));
  const pinged = curvesOf({ versions: report.adoption.versions, points }, report.live);
  if (pinged.length > 0) return { by: 'of the installs that ping', curves: pinged };
  const told = stores.map(({ store, versions }) => ({
    by: `of the users at ${STORES[store]}`,
    curves: curvesOf(
      {
        versions: versions.versions,
        points: versions.points.map(({ date, users }) => ({ date, counts: users })),
      },
      report.live.filter((one) => one.store === store),
    ),
  }));
  return told.find(({ curves }) => curves.length > 0) ?? null;
}

/** How the last versions spread, day by day since each went live; nothing where neither installs nor a store tell versions. */
export function Adoption({ id }: { readonly id: string }): ReactElement | null {
  const { data, problem, retry } = useRead({
    queryKey: ['extensions', id, 'adoption'],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - REACH_MS).toISOString().slice(0, 10);
      const path = { id };
      const [report, told] = await Promise.all([
        answer(api.GET('/api/v1/extensions/{id}/analytics', { params: { path, query: { from } }, signal })),
        answer(api.GET('/api/v1/analytics/stores', { params: { query: { extension: id, from } }, signal })),
      ]);
      return adoptionOf(report as Schemas['AnalyticsReport'], told as Schemas['StoreReport']);
    },
  });
  if (problem !== null) return <ProblemNote problem={problem} onRetry={retry} />;
  if (!data) return null;
  return (
    <section className={css.section} aria-labelledby="adoption">
      <h2 id="adoption">Adoption since release</h2>
      <p>Share {data.by} by version, from the day on which each went live.</p>
      <div className={css.both}>
        <Lines curves={data.curves} />
        <Table
          caption="Adoption since release"
          rows={data.curves}
          rowKey={({ version }) => version}
          empty={null}
          columns={[
            {
              title: 'Version',
              cell: ({ version }) => (
                <span className={css.version}>
                  <svg viewBox="0 0 24 8" className={css.key} aria-hidden>
                    <path
                      d="M0 4H24"
                      className={css[`line${data.curves.findIndex((one) => one.version === version)}`]}
                    />
                  </svg>
                  {version}
                </span>
              ),
            },
            { title: 'Live since', cell: ({ live }) => day(live) },
            ...TOLD.map((at) => ({
              title: `Day ${at}`,
              isEnd: true,
              cell: ({ shares }: Curve) => shareAt(shares, at),
            })),
            { title: 'Last', isEnd: true, cell: ({ shares }) => shareAt(shares, shares.findLastIndex(isKnown)) },
          ]}
        />
      </div>
    </section>
  );
}

const TOLD = [1, 7, 28];

const isKnown = (share: number | null): boolean => share !== null;

const shareAt = (shares: Curve['shares'], at: number): string => {
  const share = shares[at] ?? null;
  return share === null ? '—' : percent(share);
};

/** The stretches of a curve between days without figures, and a dot for a day alone. */
const pathOf = (shares: Curve['shares']): string =>
  shares
    .map((share, at) =>
      share === null ? '' : `${(shares[at - 1] ?? null) === null ? 'M' : 'L'}${at} ${100 - share * 100}h0`,
    )
    .join('');

/** The drawing, which the table beside it has in numbers. */
function Lines({ curves }: { readonly curves: readonly Curve[] }): ReactElement {
  return (
    <div className={css.plot} aria-hidden>
      <div className={css.values}>
        {[1, 0.5, 0].map((share) => (
          <span key={share}>{percent(share)}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${DAYS} 100`} preserveAspectRatio="none" className={css.lines}>
        <path d={`M0 0H${DAYS}M0 50H${DAYS}M0 100H${DAYS}`} className={css.grid} />
        {curves.map(({ version, shares }, at) => (
          <path key={version} d={pathOf(shares)} className={css[`line${at}`]} />
        ))}
      </svg>
      <div className={css.days}>
        {[0, 7, 14, 21, 28].map((at) => (
          <span key={at}>{at === 0 ? 'Day 0' : at}</span>
        ))}
      </div>
    </div>
  );
}
