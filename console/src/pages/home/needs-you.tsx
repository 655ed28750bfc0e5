import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { useSession } from '../../session';
import { ButtonLink, Hidden, Status, STORES, Time } from '../../ui';
import css from './home.module.css';

type Need = Schemas['OverviewNeed'];

/** Where the page of a version says why it needs somebody. */
const REASONS: Partial<Readonly<Record<string, string>>> = { rejected: 'rejected', held: 'findings' };

/** Place of the next step: at the store, or on a page of this console. */
function stepOf(
  { kind, url, store, extensionId, targetId, version }: Need,
  mayRotate: boolean,
): { readonly href: string; readonly label: string } | null {
  if (kind.startsWith('credential_') || kind === 'test_mode_open')
    return mayRotate ? { href: '/settings/credentials', label: 'Rotate' } : null;
  if (kind === 'notifications_undelivered') return { href: '/notifications', label: 'Look' };
  if (kind === 'sales_unmapped') return { href: '/plans?status=unmapped', label: 'Look' };
  if (kind === 'codes_undelivered') return { href: '/licenses', label: 'Look' };
  const reasons = REASONS[kind];
  if (reasons !== undefined && extensionId !== null && version !== null)
    return { href: `/extensions/${extensionId}/versions/${encodeURIComponent(version)}#${reasons}`, label: 'See why' };
  if (url !== null && store !== null) return { href: url, label: `Open ${STORES[store]}` };
  if (extensionId === null) return null;
  const href = targetId === null ? `/extensions/${extensionId}` : `/extensions/${extensionId}/targets/${targetId}`;
  return { href, label: kind === 'release_waiting' ? 'Release' : 'Complete' };
}

const isRefused = ({ tone }: Need): boolean => tone === 'rejected';

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
          const step = stepOf(need, mayRotate);
          return (
            <li key={`${need.kind} ${need.targetId} ${need.credentialId}`} className={css.need}>
              <div className={css.what}>
                <div className={css.sentence}>
                  <Status state={isRefused(need) ? 'rejected' : 'needs_you'}>
                    <Hidden>{isRefused(need) ? 'Refused:' : 'To do:'}</Hidden>
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
