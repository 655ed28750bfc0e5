import type { ReactElement } from 'react';
import { answer, api, useChoices, useExtensionChoices, type Schemas } from '../api';

interface NamedPlan {
  readonly plan: Schemas['Plan'];
  /** Its extension and its tier. */
  readonly name: string;
}

/** All plans with their names; undefined while they are loaded. */
export function useNamedPlans(): readonly NamedPlan[] | undefined {
  const extensions = useExtensionChoices();
  const { data } = useChoices('plans', (query, signal) =>
    answer(api.GET('/api/v1/plans', { params: { query }, signal })),
  );
  return data?.map((plan) => ({
    plan,
    name: `${extensions.find(({ id }) => id === plan.extensionId)?.name ?? 'Extension'}, ${plan.tier}`,
  }));
}

/** The name of a plan; its id where it was deleted. */
export function PlanName({ id }: { readonly id: string }): ReactElement {
  return <>{useNamedPlans()?.find(({ plan }) => plan.id === id)?.name ?? id}</>;
}
