import type { ReactElement } from 'react';
import { answer, api, useChoices, useExtensionChoices } from '../api';
import { Select } from '../ui';

interface PlanChoiceProps {
  readonly value: string | null;
  readonly onValue: (planId: string) => void;
  readonly fault: string | undefined;
  /** The extension whose plans are offered; all plans without it. */
  readonly of?: string;
  /** Meaning of the choice of no plan, if that is offered; its value is an empty text. */
  readonly none?: string;
}

/** A choice of one plan, of one extension or of any. */
export function PlanChoice({ value, onValue, fault, of, none }: PlanChoiceProps): ReactElement {
  const extensions = useExtensionChoices();
  const { data } = useChoices('plans', (query, signal) =>
    answer(api.GET('/api/v1/plans', { params: { query }, signal })),
  );
  const offered = (data ?? []).filter(({ extensionId }) => of === undefined || extensionId === of);
  const plans = offered.map(({ id, tier, extensionId }) => ({
    value: id,
    label: `${extensions.find((one) => one.id === extensionId)?.name ?? 'Extension'}, ${tier}`,
  }));
  const options = none === undefined ? plans : [{ value: '', label: none }, ...plans];
  return (
    <Select
      label="Plan"
      value={value}
      onValue={onValue}
      options={options}
      fault={fault}
      hint={data?.length === 0 ? 'There is no plan yet. Make one under Plans and payments.' : undefined}
      disabled={options.length === 0}
    />
  );
}
