import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { useSession } from '../../session';
import { ButtonLink, Hidden, Status, STORES, Time } from '../../ui';
import css from './home.module.css';

type Need = Schemas['OverviewNeed'];

interface Step {
  readonly href: string;
  readonly label: string;
}

const atStore = ({ url, store }: Need): Step | null =>
  url === null || store === null ? null : { href: url, label: `Open ${STORES[store]}` };

/** @param part of the version's page that says why */
const onVersion =
  (part: string) =>
  (need: Need): Step | null =>
    need.extensionId === null || need.version === null
      ? atStore(need)
      : {
          href: `/extensions/${need.extensionId}/versions/${encodeURIComponent(need.version)}#${part}`,
          label: 'See why',
        };

const onTarget =
  (label: string) =>
  ({ extensionId, targetId }: Need): Step => ({ href: `/extensions/${extensionId}/targets/${targetId}`, label });

const onPage = (href: string) => (): Step => ({ href, label: 'Look' });

const rotate = (_: Need, mayRotate: boolean): Step | null =>
  mayRotate ? { href: '/settings/credentials', label: 'Rotate' } : null;

/** Place of the next step: at the store, or on a page of this console. */
const STEPS: Readonly<Record<Need['kind'], (need: Need, mayRotate: boolean) => Step | null>> = {
  taken_down: atStore,
  rejected: onVersion('rejected'),
  credential_rejected: rotate,
  credential_expired: rotate,
  approval_waiting: ({ approvalId }) => ({ href: `/approvals/${approvalId}`, label: 'Look' }),
  approval_rejected: onVersion('findings'),
  held: onVersion('findings'),
  action_required: atStore,
  release_waiting: onTarget('Release'),
  incomplete: onTarget('Complete'),
  stalled: atStore,
  credential_expiring: rotate,
  sales_unmapped: onPage('/plans?status=unmapped'),
  codes_undelivered: onPage('/licenses'),
  notifications_undelivered: onPage('/notifications'),
  test_mode_open: rotate,
};

/** What a need is called for those who do not see its colour. */
const CALLED: Readonly<Partial<Record<Need['tone'], string>>> = { rejected: 'Refused:', underway: 'Waiting:' };

/** One thing to do in each line: what, whose turn, since when, and the one button. */
export function NeedsYou({ needs }: { readonly needs: readonly Need[] }): ReactElement | null {
  const mayRotate = useSession().can('credentials:write');
  if (needs.length === 0) return null;
  return (
    <section aria-labelledby="needs-you">
      <h2 id="needs-you" className={css.heading}>
        Needs you · {needs.length}
      </h2>
      <ul className={css.needs}>
        {needs.map((need) => {
          const step = STEPS[need.kind](need, mayRotate);
          return (
            <li key={`${need.kind} ${need.targetId} ${need.credentialId} ${need.approvalId}`} className={css.need}>
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
              {step !== null && <ButtonLink href={step.href}>{step.label}</ButtonLink>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
