import { useState, type ReactElement } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { answer, api, useWrite, type Schemas } from '../../api';
import { Caution, Dialog, Field, Form, wholeNumberIn } from '../../ui';
import { endOf, LastDay, lastDayOf } from './last-day';

interface ChangeDialogProps {
  readonly license: Schemas['LicenseWithDevices'];
  readonly etag: string | null;
  readonly onClose: () => void;
}

/** Changes the buyer's address, the device limit and the expiry, unless somebody else has changed the license meanwhile. */
export function ChangeDialog({ license, etag, onClose }: ChangeDialogProps): ReactElement {
  const client = useQueryClient();
  const [before] = useState({ license, etag });
  const [refused, setRefused] = useState<string | null>(null);
  const [buyerEmail, setBuyerEmail] = useState(license.buyerEmail);
  const [limit, setLimit] = useState(String(license.seats.max));
  const [until, setUntil] = useState(lastDayOf(license.expiresAt));
  const change = useWrite({
    write: (expected: string | null) =>
      answer(
        api.PATCH('/api/v1/licenses/{id}', {
          params: { path: { id: license.id }, header: expected === null ? {} : { 'If-Match': expected } },
          body: {
            ...(buyerEmail === before.license.buyerEmail ? {} : { buyerEmail }),
            ...(limit === String(before.license.seats.max) ? {} : { maxActivations: wholeNumberIn(limit) }),
            ...(until === lastDayOf(before.license.expiresAt) ? {} : { expiresAt: endOf(until) }),
          },
        }),
      ),
    changes: [['licenses']],
    announcement: () => 'Changed the license.',
  });
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
  // What the other person made of it is on its way.
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
          value={buyerEmail}
          onValue={setBuyerEmail}
          autoComplete="off"
          hint="The code stays. Mail a new one with “Mail a new code”."
          fault={change.error?.fault('buyerEmail')}
        />
        <Field
          label="Devices"
          inputMode="numeric"
          value={limit}
          onValue={setLimit}
          fault={change.error?.fault('maxActivations')}
        />
        <Field
          label="Last day"
          type="date"
          value={until}
          onValue={setUntil}
          hint="Empty: it never expires."
          fault={change.error?.fault('expiresAt')}
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
