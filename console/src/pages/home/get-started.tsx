import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api';
import { useSession } from '../../session';
import { useSetup } from '../../setup';
import css from './home.module.css';

/** Leads back to the first steps while this person can do the next of them. */
export function GetStarted({
  extensions,
}: {
  readonly extensions: readonly Schemas['OverviewExtension'][];
}): ReactElement | null {
  const { can } = useSession();
  const { steps, next, isLoading, problem } = useSetup(extensions);
  if (isLoading || problem !== null || next === null || !can(next.needs)) return null;
  return (
    <p className={css.start}>
      <Link href="/start">
        Get started · {steps.filter(({ isDone }) => isDone).length} of {steps.length} done
      </Link>
    </p>
  );
}
