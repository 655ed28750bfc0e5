import { useEffect, type ReactElement } from 'react';
import { Select } from '../ui';
import { useNamedPlans } from './plan-name';

interface PlanChoiceProps {
  readonly value: string | null;
  readonly onValue: (planId: string) => void;
  readonly fault: string | undefined;
  /** The extension whose plans are offered; all plans without it. */
  readonly of?: string;
  /** Meaning of the choice of no plan, if that is offered; its value is an empty text. */
  readonly none?: string;
}

/** A choice of one plan, of one extension or of any. The only plan there is need not be chosen. */
export function PlanChoice({ value, onValue, fault, of, none }: PlanChoiceProps): ReactElement {
  const named = useNamedPlans();
  const plans = (named ?? [])
    .filter(({ plan }) => of === undefined || plan.extensionId === of)
    .map(({ plan, name }) => ({ value: plan.id, label: name }));
  const [only, ...others] = plans;
  const preset = value === null && none === undefined && others.length === 0 ? only?.value : undefined;
  useEffect(() => {
    if (preset !== undefined) onValue(preset);
  }, [preset, onValue]);
  const options = none === undefined ? plans : [{ value: '', label: none }, ...plans];
  return (
    <Select
      label="Plan"
      value={value}
      onValue={onValue}
      options={options}
      fault={fault}
      hint={named?.length === 0 ? 'There is no plan yet. Make one under Plans and payments.' : undefined}
      disabled={options.length === 0}
    />
  );
}
