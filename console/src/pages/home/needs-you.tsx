import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { ButtonLink, Hidden, Status, Time } from '../../ui';
import css from './home.module.css';

type Need = Schemas['OverviewNeed'];

/** What a need is called for those who do not see its colour. */
const CALLED: Readonly<Partial<Record<Need['tone'], string>>> = { rejected: 'Refused:', underway: 'Waiting:' };

/** One thing to do in each line: what, whose turn, since when, and the one button. */
export function NeedsYou({ needs }: { readonly needs: readonly Need[] }): ReactElement | null {
  if (needs.length === 0) return null;
  return (
    <section aria-labelledby="needs-you">
      <h2 id="needs-you" className={css.heading}>
        Needs you · {needs.length}
      </h2>
      <ul className={css.needs}>
        {needs.map((need) => (
          <li key={need.key} className={css.need}>
            <div className={css.what}>
              <div className={css.sentence}>
                <Status state={need.tone in CALLED ? need.tone : 'needs_you'}>
                  <Hidden>{CALLED[need.tone] ?? 'To do:'}</Hidden>
                </Status>
                <bdi>{need.what}</bdi>
              </div>
              <p className={css.why} title={need.message ?? undefined}>
                {need.turn === 'store' && 'Waiting for the store. '}
                {need.remedy}
              </p>
            </div>
            <span className={css.since}>{need.at !== null && <Time at={need.at} />}</span>
            {need.href !== null && <ButtonLink href={need.href}>{need.action}</ButtonLink>}
          </li>
        ))}
      </ul>
    </section>
  );
}
