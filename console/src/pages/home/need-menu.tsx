import { lazy, Suspense, useState, type ReactElement } from 'react';
import type { Schemas } from '../../api';
import { useSession } from '../../session';
import { Dialog, Menu, MenuItem, MenuRule, MoreIcon, ProblemNote } from '../../ui';
import { useNeedChange } from './need-change';
import { snoozeTimes } from './snooze-times';

// Few open them, and the choice of a member weighs more than the rest of the page.
const loadForms = () => import('./need-forms');
const SnoozeForm = lazy(() => loadForms().then((forms) => ({ default: forms.SnoozeForm })));
const AssignForm = lazy(() => loadForms().then((forms) => ({ default: forms.AssignForm })));

type Need = Schemas['OverviewNeed'];

/** What can be said about a need without answering it: not now, or somebody else. */
export function NeedMenu({ need }: { readonly need: Need }): ReactElement {
  const { user } = useSession();
  const [open, setOpen] = useState<'snooze' | 'assign' | null>(null);
  const change = useNeedChange(need);
  const { tomorrow, nextWeek } = snoozeTimes(new Date());
  const close = (): void => setOpen(null);
  const snooze = (until: Date): void => change.mutate({ snoozedUntil: until.toISOString() });
  return (
    <>
      <Menu trigger={<MoreIcon />} label={`Snooze or assign: ${need.what}`}>
        <MenuItem onSelect={() => snooze(tomorrow)}>Snooze until tomorrow</MenuItem>
        <MenuItem onSelect={() => snooze(nextWeek)}>Snooze until next week</MenuItem>
        <MenuItem onSelect={() => setOpen('snooze')}>Snooze until…</MenuItem>
        <MenuRule />
        {need.assignee?.userId !== user.id && (
          <MenuItem onSelect={() => change.mutate({ assigneeId: user.id })}>Assign to me</MenuItem>
        )}
        <MenuItem onSelect={() => setOpen('assign')}>Assign to…</MenuItem>
        {need.assignee !== null && (
          <MenuItem onSelect={() => change.mutate({ assigneeId: null })}>Assign to nobody</MenuItem>
        )}
      </Menu>
      {change.error !== null && open === null && <ProblemNote problem={change.error} />}
      <Dialog
        title="Snooze"
        description={
          <>
            <bdi>{need.what}</bdi> It is hidden from everybody until then, unless it changes for the worse.
          </>
        }
        isOpen={open === 'snooze'}
        onClose={close}
      >
        <Suspense>
          <SnoozeForm change={change} onClose={close} />
        </Suspense>
      </Dialog>
      <Dialog title="Assign" description={need.what} isOpen={open === 'assign'} onClose={close}>
        <Suspense>
          <AssignForm need={need} change={change} onClose={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
