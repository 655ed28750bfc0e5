import { useState, type ReactElement } from 'react';
import { answer, api, useExtensionChoices, useWrite, type Schemas } from '../../api';
import { durationIn, featuresIn, metadataIn, shownDuration, shownFeatures, shownMetadata } from '../../plans';
import { ConfirmByName, Dialog, Field, Form, Select, TextArea, wholeNumberIn } from '../../ui';
import { PlanForm, usePlanDraft } from './plan-form';

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
interface Values {
  readonly devices: string;
  readonly duration: string;
  readonly features: string;
  readonly metadata: string;
}

const shown = ({ maxActivations, duration, entitlements, metadata }: Plan): Values => ({
  devices: String(maxActivations),
  duration: shownDuration(duration),
  features: shownFeatures(entitlements),
  metadata: shownMetadata(metadata),
});

const bodyOf = ({ devices, duration, features, metadata }: Partial<Values>): Schemas['UpdatePlan'] => ({
  ...(devices !== undefined && { maxActivations: wholeNumberIn(devices) }),
  ...(duration !== undefined && { duration: durationIn(duration) }),
  ...(features !== undefined && { entitlements: featuresIn(features) }),
  ...(metadata !== undefined && { metadata: metadataIn(metadata) }),
});

const WORDS: Readonly<Record<keyof Values, string>> = {
  devices: 'devices per license are',
  duration: 'its licenses last',
  features: 'features are',
  metadata: 'your data is',
};

/** Changes what licenses of the plan allow, unless somebody else has meanwhile. */
export function EditPlan({ plan, onClose }: OfPlanProps): ReactElement {
  const edit = usePlanDraft<Values>({ plan, onClose, shown, bodyOf, alsoChanges: ['licenses'] });
  const { input, problem } = edit;
  return (
    <PlanForm<Values>
      title={`Edit ${plan.tier}`}
      description="Devices that hold a seat keep it, also when the limit is lower. Licenses with a limit of their own keep that."
      edit={edit}
      said={(name, theirs) => `Somebody changed the plan meanwhile: ${WORDS[name]} ${theirs || 'nothing'}.`}
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
    </PlanForm>
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
