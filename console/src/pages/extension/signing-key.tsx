import { useState, type ReactElement } from 'react';
import { answer, api, Problem, useRead, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, ConfirmByName, CopyField, Form, ProblemNote, Skeleton, TextArea, Time } from '../../ui';
import type { StoreDescription, Target } from './data';
import css from './extension.module.css';

const KEY = '/api/v1/extensions/{id}/targets/{targetId}/signing-key';

interface SigningKeyProps {
  readonly target: Target;
  readonly store: StoreDescription;
  readonly name: string;
}

/** The key that signs what Pierhead sends to a store that can take only signed packages. */
export function SigningKey({ target, store, name }: SigningKeyProps): ReactElement {
  const mayWrite = useSession().can('credentials:write');
  const path = { id: target.extensionId, targetId: target.id };
  const queryKey = ['extensions', target.extensionId, 'targets', target.id, 'signing-key'];
  const { data, problem, retry } = useRead({
    queryKey,
    queryFn: ({ signal }) => answer(api.GET(KEY, { params: { path }, signal })).catch(orNone),
  });
  const [own, setOwn] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const keep = useWrite<string | undefined, Schemas['SigningKeyView']>({
    write: (privateKey) =>
      answer(api.POST(KEY, { params: { path }, body: privateKey === undefined ? {} : { privateKey } })),
    changes: [queryKey],
    announcement: () => `${name} has a signing key.`,
  });
  const remove = useWrite({
    write: () => answer(api.DELETE(KEY, { params: { path } })),
    changes: [queryKey],
    announcement: () => `Deleted the signing key of ${name}.`,
  });
  return (
    <section className={css.section} aria-labelledby="signing-key">
      <h2 id="signing-key">Signing key</h2>
      {data === undefined && problem === null && <Skeleton label="signing key" />}
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {data === null && (
        <>
          <p>
            An item of the {store.title} can be set to take only packages that its author has signed (Verified CRX
            Uploads). Pierhead then signs what it sends, with a key that it keeps encrypted. Without one, push a signed
            .crx.
          </p>
          {keep.error !== null && own === null && <ProblemNote problem={keep.error} />}
          {mayWrite && own === null && (
            <p className={css.heading}>
              <Button onClick={() => keep.mutate(undefined)} isBusy={keep.isPending}>
                Make a key
              </Button>
              <Button onClick={() => setOwn('')}>Use my own</Button>
            </p>
          )}
          {own !== null && (
            <Form
              label="Your signing key"
              onSubmit={() => keep.mutate(own, { onSuccess: () => setOwn(null) })}
              problem={keep.error}
              submit="Keep this key"
              isBusy={keep.isPending}
              isDisabled={own.trim() === ''}
              onCancel={() => {
                setOwn(null);
                keep.reset();
              }}
            >
              <TextArea
                label="Private key"
                hint="RSA, at least 2,048 bits, in PEM, without a passphrase. Nobody can read it here again."
                rows={5}
                value={own}
                onValue={setOwn}
                fault={keep.error?.fault('privateKey')}
              />
            </Form>
          )}
        </>
      )}
      {data != null && (
        <>
          <p>
            Added <Time at={data.createdAt} />. Paste its public part in the Developer Dashboard: the item, Package,
            Verified uploads. From then on the store takes only packages signed with it.
          </p>
          <CopyField label="public key" value={data.publicKey.trimEnd()} />
          {mayWrite && (
            <p className={css.danger}>
              <Button kind="danger" onClick={() => setDeleting(true)}>
                Delete key
              </Button>
            </p>
          )}
          <ConfirmByName
            title={`Delete the signing key of ${name}`}
            description="Nobody can bring it back, and the store still expects its signatures."
            name={name}
            action="Delete key"
            isOpen={isDeleting}
            isBusy={remove.isPending}
            problem={remove.error}
            onConfirm={() => remove.mutate(undefined, { onSuccess: () => setDeleting(false) })}
            onClose={() => {
              setDeleting(false);
              remove.reset();
            }}
          />
        </>
      )}
    </section>
  );
}

/** Most targets have no key. */
function orNone(error: unknown): null {
  if (error instanceof Problem && error.code === 'signing_key_not_found') return null;
  throw error;
}
