import type { ReactElement } from 'react';
import { PageHeader } from '../../ui';

/** The way to the first version that is live. */
export function StartPage(): ReactElement {
  return <PageHeader title="Get started" />;
}
