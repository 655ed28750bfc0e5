import { useState, type ReactElement } from 'react';
import { useMemberChoices, type Schemas } from '../../api';
import { DayField, Form, Select } from '../../ui';
import type { Change } from './need-change';

type Need = Schemas['OverviewNeed'];

interface FormProps {
  readonly change: Change;
  readonly onClose: () => void;
}

/** Asks until which day a need is snoozed. */
export function SnoozeForm({ change, onClose }: FormProps): ReactElement {
  const [day, setDay] = useState('');
  const submit = (): void =>
    change.mutate({ snoozedUntil: new Date(`${day}T09:00`).toISOString() }, { onSuccess: onClose });
  return (
    <Form
      label="Snooze"
      onSubmit={submit}
      problem={change.error}
      submit="Snooze"
      isBusy={change.isPending}
      isDisabled={day === ''}
      onCancel={onClose}
    >
      <DayField
        label="Until nine in the morning of"
        value={day}
        onValue={setDay}
        fault={change.error?.fault('snoozedUntil')}
      />
    </Form>
  );
}

/** Asks which member sees to a need. */
export function AssignForm({ need, change, onClose }: FormProps & { readonly need: Need }): ReactElement {
  const members = useMemberChoices();
  const [userId, setUserId] = useState(need.assignee?.userId ?? '');
  const options = (members.data ?? []).map(({ userId: value, email }) => ({ value, label: email }));
  return (
    <Form
      label="Assign"
      onSubmit={() => change.mutate({ assigneeId: userId }, { onSuccess: onClose })}
      problem={change.error ?? members.problem}
      submit="Assign"
      isBusy={change.isPending}
      isDisabled={userId === ''}
      onCancel={onClose}
    >
      <Select label="Member" value={userId} options={options} onValue={setUserId} />
    </Form>
  );
}
