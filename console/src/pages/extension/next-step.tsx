import type { ReactElement } from 'react';
import { answer, api, useRead, type Schemas } from '../../api';
import { platformName, ProblemNote, Skeleton, Words } from '../../ui';
import type { Target } from './data';
import css from './extension.module.css';

/** The next step at a target, by its platform where the store has versions per platform. */
export const stepOf = ({ platform, step }: Pick<Schemas['PlannedTarget'], 'platform' | 'step'>): string =>
  `${platform === undefined ? 'Next step' : platformName(platform)}: ${step.replaceAll('_', ' ')}.`;

/** Pierhead's next step at a target, given the store's current state. */
export function NextStep({ target }: { readonly target: Target }): ReactElement {
  const { data, problem, retry } = useRead({
    queryKey: ['extensions', target.extensionId, 'next-steps'],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/extensions/{id}/next-steps', { params: { path: { id: target.extensionId } }, signal })),
  });
  if (problem !== null) return <ProblemNote problem={problem} onRetry={retry} />;
  if (data === undefined) return <Skeleton label="what the store says" lines={1} />;
  const planned = data.targets.filter(({ targetId }) => targetId === target.id);
  return (
    <ul className={css.plain}>
      {planned.map(({ platform, step, because }) => (
        <li key={platform}>
          {stepOf({ platform, step })} <Words text={because} />
        </li>
      ))}
    </ul>
  );
}
