import { useState, type ReactElement } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { answer, api, asProblem, useWrite, type Schemas } from '../../api';
import {
  featuresIn,
  limitIn,
  metadataIn,
  PlanChoice,
  shownDuration,
  shownFeatures,
  shownLimit,
  shownMetadata,
} from '../../plans';
import { Caution, Checkbox, Dialog, DayField, Field, Form, TextArea } from '../../ui';
import { endOf, lastDayOf } from './days';
import { LastDay } from './last-day';

type License = Schemas['LicenseWithDevices'];

interface ChangeDialogProps {
  readonly license: License;
  readonly etag: string | null;
  readonly onClose: () => void;
}

/** The values of the form as text. */
const shown = (license: License) => ({
  planId: license.planId,
  buyerEmail: license.buyerEmail ?? '',
  campaign: license.campaign ?? '',
  limit: shownLimit(license.maxActivations),
  people: shownLimit(license.maxMembers),
  each: shownLimit(license.seatsPerMember),
  until: lastDayOf(license.expiresAt),
  features: shownFeatures(license.entitlements),
  metadata: shownMetadata(license.metadata),
});

type Shown = ReturnType<typeof shown>;

/** What the form changes of a license. */
function changesOf(license: License, form: Shown): Schemas['UpdateLicense'] {
  const { planId, buyerEmail, campaign, limit, people, each, until, features, metadata } = form;
  const before = shown(license);
  return {
    ...(planId !== before.planId && { planId }),
    ...(buyerEmail !== before.buyerEmail && { buyerEmail }),
    ...(campaign !== before.campaign && { campaign: campaign.trim() === '' ? null : campaign }),
    ...(limit !== before.limit && { maxActivations: limitIn(limit) }),
    ...(people !== before.people && { maxMembers: limitIn(people) }),
    ...(each !== before.each && { seatsPerMember: limitIn(each) }),
    ...(until !== before.until && { expiresAt: endOf(until) }),
    ...(features !== before.features && { entitlements: featuresIn(features) }),
    ...(metadata !== before.metadata && { metadata: metadataIn(metadata) }),
  };
}

/** Changes what the license allows and whose it is, unless somebody else has changed it meanwhile. */
export function ChangeDialog({ license, etag, onClose }: ChangeDialogProps): ReactElement {
  const client = useQueryClient();
  const [before] = useState({ license, etag });
  const [refused, setRefused] = useState<string | null>(null);
  const [form, setForm] = useState(shown(license));
  const [isMailed, setMailed] = useState(true);
  const input = (name: keyof Shown) => ({
    value: form[name],
    onValue: (value: string) => setForm((now) => ({ ...now, [name]: value })),
  });
  const isMoved = form.buyerEmail !== (before.license.buyerEmail ?? '');
  const mayMail = isMoved && license.status !== 'revoked';
  const change = useWrite({
    write: async (expected: string | null) => {
      await answer(
        api.PATCH('/api/v1/licenses/{id}', {
          params: { path: { id: license.id }, header: expected === null ? {} : { 'If-Match': expected } },
          body: changesOf(before.license, form),
        }),
      );
      if (!(mayMail && isMailed)) return 'Changed the license.';
      // The license is changed, whether or not the mail arrives.
      return answer(api.POST('/api/v1/licenses/{id}/resend', { params: { path: { id: license.id } } })).then(
        () => 'Changed the license. A mail with a new code is on its way.',
        (thrown: unknown) => `Changed the license. No code was mailed: ${asProblem(thrown).message}`,
      );
    },
    changes: [['licenses']],
    announcement: (said) => said,
  });
  const faultOf = (field: string): string | undefined => change.error?.fault(field);
  const save = (): void => {
    const expected = refused === null ? before.etag : etag;
    change.mutate(expected, {
      onSuccess: onClose,
      onError: ({ code }) => {
        if (code !== 'precondition_failed') return;
        setRefused(expected);
        void client.invalidateQueries({ queryKey: ['licenses', license.id] });
      },
    });
  };
  const isStale = refused !== null;
  // The other person's change is being read.
  const isWaiting = isStale && etag === refused;
  return (
    <Dialog
      title="Change the license"
      description="Devices that hold a seat keep it, also when the limit is lower."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => save()}
        problem={change.error?.code === 'precondition_failed' ? null : change.error}
        submit={isStale ? 'Save mine' : 'Save'}
        isBusy={change.isPending || isWaiting}
        onCancel={onClose}
        cancel={isStale ? 'Keep theirs' : 'Cancel'}
      >
        <Field
          label="Buyer’s e-mail address"
          type="email"
          {...input('buyerEmail')}
          autoComplete="off"
          fault={faultOf('buyerEmail')}
        />
        {mayMail && (
          <Checkbox
            label="Mail a new code to this address"
            hint="The code is not stored, so that the present one cannot be mailed. It seats no device from then on."
            checked={isMailed}
            onChecked={setMailed}
          />
        )}
        <PlanChoice {...input('planId')} of={license.extensionId} fault={faultOf('planId')} />
        <Field
          label="Devices"
          inputMode="numeric"
          {...input('limit')}
          hint={`Empty: as its plan says.${license.maxActivations === null ? ` Now ${license.seats.max}.` : ''}`}
          fault={faultOf('maxActivations')}
        />
        <Field
          label="People besides the buyer"
          inputMode="numeric"
          {...input('people')}
          hint="Each gets a code of their own. Empty: as its plan says. 0: nobody."
          fault={faultOf('maxMembers')}
        />
        <Field
          label="Devices for each of them"
          inputMode="numeric"
          {...input('each')}
          hint="Empty: as its plan says."
          fault={faultOf('seatsPerMember')}
        />
        <DayField
          label="Last day"
          {...input('until')}
          hint={
            license.duration === null
              ? 'Empty: it never expires.'
              : `Empty: ${shownDuration(license.duration)} from its first device.`
          }
          fault={faultOf('expiresAt')}
        />
        <Field label="Campaign" {...input('campaign')} hint="Empty: none." fault={faultOf('campaign')} />
        <Field
          label="Features"
          {...input('features')}
          hint="Besides its plan’s, such as sync, export."
          fault={faultOf('entitlements')}
        />
        <TextArea
          label="Your data"
          {...input('metadata')}
          hint="One “name: value” on each line, which only your team sees."
          fault={faultOf('metadata')}
        />
        {isStale && !isWaiting && (
          <Caution>
            Somebody changed the license meanwhile: it is {license.status}, allows {license.seats.max} devices and{' '}
            {license.expiresAt === null ? (
              'never expires'
            ) : (
              <>
                expires on <LastDay expiresAt={license.expiresAt} />
              </>
            )}
            .
          </Caution>
        )}
      </Form>
    </Dialog>
  );
}
