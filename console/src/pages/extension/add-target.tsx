import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { answer, api, useWrite } from '../../api';
import { Button, Dialog, Form, Select, STORES, type StoreId } from '../../ui';
import type { StoreDescription } from './data';

interface AddTargetProps {
  readonly id: string;
  /** Undefined while they are loaded. */
  readonly stores: readonly StoreDescription[] | undefined;
}

/** Adds a target at a store, and opens its settings. */
export function AddTarget({ id, stores }: AddTargetProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Add a target</Button>
      <Dialog
        title="Add a target"
        description="For another item or channel of a store. It is off until you have set it up."
        isOpen={isOpen && stores !== undefined}
        onClose={close}
      >
        <AddForm id={id} stores={stores ?? []} onClose={close} />
      </Dialog>
    </>
  );
}

interface AddFormProps {
  readonly id: string;
  readonly stores: readonly StoreDescription[];
  readonly onClose: () => void;
}

function AddForm({ id, stores, onClose }: AddFormProps): ReactElement {
  const [, navigate] = useLocation();
  const [store, setStore] = useState<StoreId | null>(null);
  const add = useWrite({
    write: (chosen: StoreId) =>
      answer(api.POST('/api/v1/extensions/{id}/targets', { params: { path: { id } }, body: { store: chosen } })),
    changes: [['extensions', id], ['overview']],
    announcement: (target) => `Added a target for ${STORES[target.store]}.`,
  });
  return (
    <Form
      onSubmit={() =>
        store !== null && add.mutate(store, { onSuccess: (made) => navigate(`/extensions/${id}/targets/${made.id}`) })
      }
      problem={add.error}
      submit="Add"
      isBusy={add.isPending}
      isDisabled={store === null}
      onCancel={onClose}
    >
      <Select<StoreId>
        label="Store"
        value={store}
        onValue={setStore}
        options={stores.map(({ id: one, title }) => ({ value: one, label: title }))}
        fault={add.error?.fault('store')}
      />
    </Form>
  );
}
