import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { Button, ButtonLink, exact, Hidden, ProblemNote, Status, Time } from '../../ui';
import { useNeedChange } from './need-change';
import { NeedMenu } from './need-menu';
import css from './home.module.css';

type Need = Schemas['OverviewNeed'];

/** What a need is called for those who do not see its colour. */
const CALLED: Readonly<Partial<Record<Need['tone'], string>>> = { rejected: 'Refused:', underway: 'Waiting:' };

/** One thing to do in each line: what, whose turn, since when, and the one button. */
export function NeedsYou({ needs, snoozed }: Pick<Schemas['Overview'], 'needs' | 'snoozed'>): ReactElement {
  return (
    <>
      {needs.length > 0 && <Needs needs={needs} />}
      {snoozed.length > 0 && <Snoozed needs={snoozed} />}
    </>
  );
}

function Needs({ needs }: { readonly needs: readonly Need[] }): ReactElement {
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
                {need.assignee !== null && (
                  <>
                    {' '}
                    Assigned to <bdi>{need.assignee.email}</bdi>.
                  </>
                )}
              </p>
            </div>
            <span className={css.since}>{need.at !== null && <Time at={need.at} />}</span>
            <span className={css.acts}>
              {need.href !== null && <ButtonLink href={need.href}>{need.action}</ButtonLink>}
              {need.changeable && <NeedMenu need={need} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What members decided to look at later, folded. */
function Snoozed({ needs }: { readonly needs: readonly Need[] }): ReactElement {
  return (
    <details className={css.snoozed}>
      <summary>{needs.length} snoozed</summary>
      <ul className={css.needs}>
        {needs.map((need) => (
          <SnoozedNeed key={need.key} need={need} />
        ))}
      </ul>
    </details>
  );
}

function SnoozedNeed({ need }: { readonly need: Need }): ReactElement {
  const change = useNeedChange(need);
  const { what, snoozedUntil, snoozedBy, changeable } = need;
  return (
    <li className={css.need}>
      <div className={css.what}>
        <bdi>{what}</bdi>
        <p className={css.why}>
          Until {exact(snoozedUntil ?? '')}
          {snoozedBy !== null && (
            <>
              , by <bdi>{snoozedBy}</bdi>
            </>
          )}
        </p>
        {change.error !== null && <ProblemNote problem={change.error} />}
      </div>
      <span className={css.since} />
      {changeable && (
        <Button isBusy={change.isPending} onClick={() => change.mutate({ snoozedUntil: null })}>
          Show again
        </Button>
      )}
    </li>
  );
}
