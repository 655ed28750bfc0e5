import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Problem, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Dialog, Field, Form, Menu, MenuItem, MoreIcon, TextArea } from '../../ui';
import { useReleases, type StoreDescription, type Target } from './data';
import { NextStep } from './next-step';
import { Promote } from './promote';

interface TargetActionsProps {
  readonly target: Target;
  readonly name: string;
  /** Undefined while it is loaded. */
  readonly store: StoreDescription | undefined;
  /** The action to begin with, as a link names it. */
  readonly asked?: string | null;
  readonly onClose?: () => void;
}

type Act = Target['accepts'][number] | 'look' | 'pause' | 'resume';
type Action = Act | 'promote' | 'rollback';

const LABELS: Readonly<Record<Action, string>> = {
  look: 'Check the store now',
  release: 'Publish the approved version',
  resubmit: 'Submit it again',
  promote: 'Promote to other stores',
  rollback: 'Roll back',
  pause: 'Pause',
  resume: 'Resume',
};

/** Labels of buttons, where shorter ones do. */
const BUTTONS: Readonly<Record<Action, string>> = {
  ...LABELS,
  look: 'Check now',
  release: 'Publish',
  promote: 'Promote',
};

/** Actions in the order in which people want them; the first two are buttons. */
const ORDER: readonly Action[] = ['release', 'resubmit', 'resume', 'look', 'rollback', 'promote', 'pause'];
const SHOWN = 2;

/** Possible actions at a target, without those that its rollout shows. */
function actionsFor(target: Target, { capabilities }: StoreDescription): readonly Action[] {
  const { enabled, paused, accepts, status, rollout } = target;
  if (!enabled || status.missing.length > 0) return [];
  const can: Readonly<Record<Action, boolean>> = {
    look: true,
    release: accepts.includes('release'),
    resubmit: accepts.includes('resubmit'),
    promote: capabilities.requiresArtifact && status.desiredVersion !== null,
    rollback: capabilities.rollback && status.liveVersion !== null && rollout?.canRollBack !== true,
    pause: !paused && rollout?.canHalt !== true,
    resume: paused && rollout === null,
  };
  return ORDER.filter((action) => can[action]);
}

/** What can be done at a target, each behind what it will do: the first as buttons, the others in a menu. */
export function TargetActions({ target, name, store, asked, onClose }: TargetActionsProps): ReactElement | null {
  const { can } = useSession();
  const [chosen, setChosen] = useState<Action | null>(null);
  if (store === undefined || !can('extensions:write')) return null;
  const actions = actionsFor(target, store);
  if (actions.length === 0) return null;
  const action = chosen ?? actions.find((one) => one === asked) ?? null;
  const close = (): void => {
    setChosen(null);
    onClose?.();
  };
  return (
    <>
      {actions.slice(0, SHOWN).map((one, at) => (
        // By its place: once the action is done, the next one takes its place and keeps the focus.
        <Button key={at} aria-label={`${BUTTONS[one]}: ${name}`} onClick={() => setChosen(one)}>
          {BUTTONS[one]}
        </Button>
      ))}
      {actions.length > SHOWN && (
        <Menu trigger={<MoreIcon />} label={`Actions for ${name}`}>
          {actions.slice(SHOWN).map((one) => (
            <MenuItem key={one} onSelect={() => setChosen(one)}>
              {LABELS[one]}
            </MenuItem>
          ))}
        </Menu>
      )}
      {action === 'rollback' && <RollBack target={target} name={name} onClose={close} />}
      {action === 'promote' && <Promote target={target} name={name} onClose={close} />}
      {action !== null && action !== 'rollback' && action !== 'promote' && (
        <ActDialog action={action} target={target} name={name} onClose={close} />
      )}
    </>
  );
}

interface ActProps {
  readonly target: Target;
  readonly name: string;
  readonly onClose: () => void;
}

const changesOf = ({ extensionId }: Target): readonly (readonly string[])[] => [['extensions', extensionId]];

interface ActFacts {
  /** The consequence, in one sentence, and the way to undo it. */
  readonly consequence: (version: string, name: string) => string;
  readonly send: (path: { readonly id: string; readonly targetId: string }) => Promise<unknown>;
  readonly announcement: (name: string) => string;
}

const ACTS: Readonly<Record<Act, ActFacts>> = {
  look: {
    consequence: () => 'Pierhead asks every store of this extension now, and takes the next step at each.',
    send: ({ id }) => answer(api.POST('/api/v1/extensions/{id}/reconcile', { params: { path: { id } } })),
    announcement: () => 'Checked the stores.',
  },
  release: {
    consequence: (version, name) =>
      `${version} goes live at ${name} as soon as the store has approved it. This cannot be undone.`,
    send: (path) => answer(api.POST('/api/v1/extensions/{id}/targets/{targetId}/release', { params: { path } })),
    announcement: (name) => `${name} publishes the version once it is approved.`,
  },
  resubmit: {
    consequence: (version, name) =>
      `Pierhead submits ${version} to ${name} again, unchanged. Mend first what the store objected to.`,
    send: (path) => answer(api.POST('/api/v1/extensions/{id}/targets/{targetId}/resubmit', { params: { path } })),
    announcement: (name) => `${name} gets the version again.`,
  },
  pause: {
    consequence: (_, name) => `Pierhead keeps checking ${name}, but changes nothing there until you resume.`,
    send: (path) => answer(api.POST('/api/v1/extensions/{id}/targets/{targetId}/pause', { params: { path } })),
    announcement: (name) => `${name} is paused.`,
  },
  resume: {
    consequence: (version, name) => `Pierhead publishes ${version} at ${name} again. You can pause it again.`,
    send: (path) => answer(api.POST('/api/v1/extensions/{id}/targets/{targetId}/resume', { params: { path } })),
    announcement: (name) => `${name} is resumed.`,
  },
};

/** A dialog that says what an action does, and does it. */
export function ActDialog({ action, target, name, onClose }: ActProps & { readonly action: Act }): ReactElement {
  const { consequence, send, announcement } = ACTS[action];
  const act = useWrite({
    write: () => send({ id: target.extensionId, targetId: target.id }),
    changes: changesOf(target),
    announcement: () => announcement(name),
  });
  return (
    <Dialog
      title={`${LABELS[action]}: ${name}`}
      description={consequence(target.status.desiredVersion ?? 'the pinned version', name)}
      isOpen
      onClose={onClose}
    >
      {action !== 'pause' && <NextStep target={target} />}
      <Form
        onSubmit={() => act.mutate(undefined, { onSuccess: onClose })}
        problem={act.error}
        submit={LABELS[action]}
        isBusy={act.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** The version that the live one replaced at a target, as far as Pierhead published it. */
const replacedAt = ({ id }: Target, releases: readonly Schemas['VersionReleases'][]): string =>
  releases.find(({ targets }) => targets.some((one) => one.targetId === id && one.state === 'superseded'))?.version ??
  '';

/** The number after a version's. */
const raised = (version: string): string => version.replace(/\d+$/, (last) => String(Number(last) + 1));

const faultOf = (problem: Problem | null, field: string): string | undefined => problem?.fault(field);

/** A dialog that brings an older version back. */
export function RollBack({ target, name, onClose }: ActProps): ReactElement {
  const live = target.status.liveVersion ?? '';
  const { data: releases = [] } = useReleases(target.extensionId);
  const [entered, setEntered] = useState<Partial<Schemas['RollBack']>>({});
  const [typed, setTyped] = useState('');
  const set = (field: keyof typeof entered) => (value: string) => setEntered({ ...entered, [field]: value });
  const input = { to: replacedAt(target, releases), version: raised(live), reason: '', ...entered };
  const rollBack = useWrite({
    write: (body: typeof input) =>
      answer(
        api.POST('/api/v1/extensions/{id}/targets/{targetId}/rollback', {
          params: { path: { id: target.extensionId, targetId: target.id } },
          body,
        }),
      ),
    changes: changesOf(target),
    announcement: (_, { to, version }) => `${name} brings ${to} back as ${version}.`,
  });
  const isConfirmed = typed.trim() === name;
  return (
    <Dialog
      title={`Roll back: ${name}`}
      description={`Users of ${live} get an older version again, under a new number. Only another push or rollback undoes it.`}
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => rollBack.mutate(input, { onSuccess: onClose })}
        problem={rollBack.error}
        submit="Roll back"
        isBusy={rollBack.isPending}
        isDisabled={!isConfirmed}
        kind="danger"
        onCancel={onClose}
      >
        <Field
          label="Version to bring back"
          hint={`Lower than ${live}.`}
          value={input.to}
          onValue={set('to')}
          fault={faultOf(rollBack.error, 'to')}
        />
        <Field
          label="New number"
          hint={`Higher than ${live}.`}
          value={input.version}
          onValue={set('version')}
          fault={faultOf(rollBack.error, 'version')}
        />
        <TextArea
          label="Reason"
          hint="For the store and the timeline."
          value={input.reason}
          onValue={set('reason')}
          fault={faultOf(rollBack.error, 'reason')}
        />
        <Field label={`Type “${name}” to confirm`} value={typed} onValue={setTyped} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
