import type { ReactElement } from 'react';
import { PageHeader } from '../../ui';
import { Inbox } from './inbox';
import { Plans } from './plans';
import { Processors } from './processors';

/** What is sold, who takes the money, and what they report. */
export function PlansPage(): ReactElement {
  return (
    <>
      <PageHeader title="Plans and payments" />
      <Plans />
      <Processors />
      <Inbox />
    </>
  );
}
