import { useState, type ReactElement } from 'react';
import { answer, answerWithTag, api, useDraft, useExtensionChoices, useWrite, without, type Schemas } from '../../api';
import { durationIn, featuresIn, metadataIn, shownDuration, shownFeatures, shownMetadata } from '../../plans';
import { Caution, ConfirmByName, Dialog, Field, Form, Select, TextArea, wholeNumberIn } from '../../ui';

type Plan = Schemas['Plan'];

const LASTS_HINT = 'Such as 1 year, for licenses that are sold once or issued by hand. Empty: for ever.';
const FEATURES_HINT = 'Names that the extension asks for, such as sync, export. Empty: none.';

/** Makes a plan. */
export function MakePlan({ onClose }: { readonly onClose: () => void }): ReactElement {
  const extensions = useExtensionChoices();
  const [extensionId, setExtension] = useState<string | null>(null);
  const [tier, setTier] = useState('');
  const [devices, setDevices] = useState('3');
  const [duration, setDuration] = useState('');
  const [features, setFeatures] = useState('');
  const make = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/plans', {
          body: {
            extensionId: extensionId ?? '',
            tier,
            maxActivations: wholeNumberIn(devices),
            duration: durationIn(duration),
            entitlements: featuresIn(features),
          },
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
        <Field
          label="Lasts"
          value={duration}
          onValue={setDuration}
          hint={LASTS_HINT}
          fault={make.error?.fault('duration')}
        />
        <Field
          label="Features"
          value={features}
          onValue={setFeatures}
          hint={FEATURES_HINT}
          fault={make.error?.fault('entitlements')}
        />
      </Form>
    </Dialog>
  );
}

interface OfPlanProps {
  readonly plan: Plan;
  readonly onClose: () => void;
}

/** Values that the form writes, as text; the service reports their faults. */
interface Draft {
  readonly devices?: string;
  readonly duration?: string;
  readonly features?: string;
  readonly metadata?: string;
}

const shown = ({ maxActivations, duration, entitlements, metadata }: Plan): Required<Draft> => ({
  devices: String(maxActivations),
  duration: shownDuration(duration),
  features: shownFeatures(entitlements),
  metadata: shownMetadata(metadata),
});

/** Changes of others to the plan since it was read. */
interface Conflict {
  readonly name: keyof Draft;
  readonly theirs: string;
}

/** What somebody else made of what this form changes too. */
const conflictsOf = (before: Plan, now: Plan, draft: Draft): readonly Conflict[] =>
  (['devices', 'duration', 'features', 'metadata'] as const)
    .filter((name) => draft[name] !== undefined && shown(before)[name] !== shown(now)[name])
    .map((name) => ({ name, theirs: shown(now)[name] || 'nothing' }));

/** Changes what licenses of the plan allow, unless somebody else has meanwhile. */
export function EditPlan({ plan, onClose }: OfPlanProps): ReactElement {
  const params = { path: { id: plan.id } };
  const { base, draft, isChanged, conflicts, isBusy, problem, revise, submit } = useDraft<Plan, Draft, Conflict>({
    known: { data: plan, etag: `"${plan.updatedAt}"` },
    reread: () => answerWithTag(api.GET('/api/v1/plans/{id}', { params })),
    write: async ({ devices, duration, features, metadata }, etag) => {
      await answer(
        api.PATCH('/api/v1/plans/{id}', {
          params: { ...params, ...(etag !== null && { header: { 'If-Match': etag } }) },
          body: {
            ...(devices !== undefined && { maxActivations: wholeNumberIn(devices) }),
            ...(duration !== undefined && { duration: durationIn(duration) }),
            ...(features !== undefined && { entitlements: featuresIn(features) }),
            ...(metadata !== undefined && { metadata: metadataIn(metadata) }),
          },
        }),
      );
      onClose();
    },
    changes: [['plans'], ['licenses']],
    announcement: () => `Changed the plan ${plan.tier}.`,
    conflictsOf,
  });
  const input = (name: keyof Draft) => ({
    value: draft[name] ?? shown(base)[name],
    onValue: (value: string) =>
      revise((before, now) => (value === shown(now)[name] ? without(before, [name]) : { ...before, [name]: value })),
  });
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
        submit={conflicts.length === 0 ? 'Save' : 'Save mine'}
        isBusy={isBusy}
        isDisabled={!isChanged}
        onCancel={onClose}
        cancel={conflicts.length === 0 ? 'Cancel' : 'Keep theirs'}
      >
        <Field
          label="Devices per license"
          inputMode="numeric"
          {...input('devices')}
          fault={problem?.fault('maxActivations')}
        />
        <Field label="Lasts" {...input('duration')} hint={LASTS_HINT} fault={problem?.fault('duration')} />
        <Field label="Features" {...input('features')} hint={FEATURES_HINT} fault={problem?.fault('entitlements')} />
        <TextArea
          label="Your data"
          {...input('metadata')}
          hint="One “name: value” on each line, which only your team sees."
          fault={problem?.fault('metadata')}
        />
        {conflicts.map(({ name, theirs }) => (
          <Caution key={name}>
            Somebody changed the plan meanwhile: {WORDS[name]} {theirs}.
          </Caution>
        ))}
      </Form>
    </Dialog>
  );
}

const WORDS: Readonly<Record<keyof Draft, string>> = {
  devices: 'devices per license are',
  duration: 'its licenses last',
  features: 'features are',
  metadata: 'your data is',
};

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
