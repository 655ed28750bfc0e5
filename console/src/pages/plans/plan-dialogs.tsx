import { useState, type ReactElement } from 'react';
import { answer, answerWithTag, api, useDraft, useExtensionChoices, useWrite, type Schemas } from '../../api';
import { Caution, ConfirmByName, Dialog, Field, Form, Select, wholeNumberIn } from '../../ui';

type Plan = Schemas['Plan'];

/** Makes a plan. */
export function MakePlan({ onClose }: { readonly onClose: () => void }): ReactElement {
  const extensions = useExtensionChoices();
  const [extensionId, setExtension] = useState<string | null>(null);
  const [tier, setTier] = useState('');
  const [devices, setDevices] = useState('3');
  const make = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/plans', {
          body: { extensionId: extensionId ?? '', tier, maxActivations: wholeNumberIn(devices) },
        }),
      ),
    changes: [['plans']],
    announcement: (plan) => `Plan “${plan.tier}” created.`,
  });
  return (
    <Dialog
      title="Create a plan"
      description="The tier’s name cannot be changed, because shipped extensions compare it."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => make.mutate(undefined, { onSuccess: onClose })}
        problem={make.error}
        submit="Create plan"
        isBusy={make.isPending}
        isDisabled={extensionId === null}
        onCancel={onClose}
      >
        <Select
          label="Extension"
          value={extensionId}
          onValue={setExtension}
          options={extensions.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field label="Tier" value={tier} onValue={setTier} fault={make.error?.fault('tier')} />
        <Field
          label="Devices per license"
          inputMode="numeric"
          value={devices}
          onValue={setDevices}
          fault={make.error?.fault('maxActivations')}
        />
      </Form>
    </Dialog>
  );
}

interface OfPlanProps {
  readonly plan: Plan;
  readonly onClose: () => void;
}

/** Values that the form writes; the service reports their faults. */
interface Draft {
  readonly devices?: string;
}

/** Changes of others to the plan since it was read. */
interface Conflict {
  readonly name: 'devices';
  readonly theirs: number;
}

const conflictsOf = (before: Plan, now: Plan): readonly Conflict[] =>
  before.maxActivations === now.maxActivations ? [] : [{ name: 'devices', theirs: now.maxActivations }];

/** Changes how many devices a license of the plan allows, unless somebody else has meanwhile. */
export function EditPlan({ plan, onClose }: OfPlanProps): ReactElement {
  const params = { path: { id: plan.id } };
  const { base, draft, isChanged, conflicts, isBusy, problem, revise, submit } = useDraft<Plan, Draft, Conflict>({
    known: { data: plan, etag: `"${plan.updatedAt}"` },
    reread: () => answerWithTag(api.GET('/api/v1/plans/{id}', { params })),
    write: async ({ devices }, etag) => {
      await answer(
        api.PATCH('/api/v1/plans/{id}', {
          params: { ...params, ...(etag !== null && { header: { 'If-Match': etag } }) },
          body: { maxActivations: wholeNumberIn(devices ?? '') },
        }),
      );
      onClose();
    },
    changes: [['plans'], ['licenses']],
    announcement: () => `Changed the plan ${plan.tier}.`,
    conflictsOf,
  });
  const [conflict] = conflicts;
  return (
    <Dialog
      title={`Edit ${plan.tier}`}
      description="Devices that hold a seat keep it, also when the limit is lower. Licenses with a limit of their own keep that."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={submit}
        problem={problem}
        submit={conflict === undefined ? 'Save' : 'Save mine'}
        isBusy={isBusy}
        isDisabled={!isChanged}
        onCancel={onClose}
        cancel={conflict === undefined ? 'Cancel' : 'Keep theirs'}
      >
        <Field
          label="Devices per license"
          inputMode="numeric"
          value={draft.devices ?? String(base.maxActivations)}
          onValue={(devices) =>
            revise((_, { maxActivations }) => (devices === String(maxActivations) ? {} : { devices }))
          }
          fault={problem?.fault('maxActivations')}
        />
        {conflict !== undefined && (
          <Caution>Somebody changed the plan meanwhile: it allows {conflict.theirs} devices per license.</Caution>
        )}
      </Form>
    </Dialog>
  );
}

/** Deletes a plan, which the service refuses while it has licenses. */
export function DeletePlan({ plan: { id, tier, updatedAt }, onClose }: OfPlanProps): ReactElement {
  const remove = useWrite({
    write: () =>
      answer(api.DELETE('/api/v1/plans/{id}', { params: { path: { id }, header: { 'If-Match': `"${updatedAt}"` } } })),
    changes: [['plans']],
    announcement: () => `Deleted the plan ${tier}.`,
  });
  return (
    <ConfirmByName
      title={`Delete ${tier}`}
      description="Sales of its products then make no license. A plan that has licenses cannot be deleted."
      name={tier}
      action="Delete plan"
      isOpen
      isBusy={remove.isPending}
      problem={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
