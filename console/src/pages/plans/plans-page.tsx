import type { ReactElement } from 'react';
import { isSettled, useProcessors } from '../../api';
import { PageHeader } from '../../ui';
import { Inbox } from './inbox';
import { Plans, usePlans } from './plans';
import { Processors } from './processors';
import { UnrelatedProducts } from './unrelated';

/** What is sold, who takes the money, and what they report. */
export function PlansPage(): ReactElement {
  const plans = usePlans();
  const processors = useProcessors();
  const arePlansSettled = isSettled(plans.items, plans.problem);
  return (
    <>
      <PageHeader title="Plans and payments" back={{ href: '/licenses', label: 'Licenses' }} />
      <Plans list={plans} />
      {arePlansSettled && <Processors read={processors} />}
      {arePlansSettled && isSettled(processors.data, processors.problem) && <Inbox />}
      {arePlansSettled && isSettled(processors.data, processors.problem) && <UnrelatedProducts />}
    </>
  );
}
