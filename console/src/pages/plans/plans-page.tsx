import type { ReactElement } from 'react';
import { hasAnswered, useProcessors } from '../../api';
import { PageHeader } from '../../ui';
import { Inbox } from './inbox';
import { Plans, usePlans } from './plans';
import { Processors } from './processors';
import { Trials } from './trials';
import { UnrelatedProducts } from './unrelated';

/** Plans, payment processors, and their notifications. */
export function PlansPage(): ReactElement {
  const plans = usePlans();
  const processors = useProcessors();
  const havePlansAnswered = hasAnswered(plans.items, plans.problem);
  return (
    <>
      <PageHeader title="Plans and payments" back={{ href: '/licenses', label: 'Licenses' }} />
      <Plans list={plans} />
      {havePlansAnswered && <Trials />}
      {havePlansAnswered && <Processors read={processors} />}
      {havePlansAnswered && hasAnswered(processors.data, processors.problem) && <Inbox />}
      {havePlansAnswered && hasAnswered(processors.data, processors.problem) && <UnrelatedProducts />}
    </>
  );
}
