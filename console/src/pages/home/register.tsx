import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { answer, api, useWrite } from '../../api';
import { Button, Dialog, Field, Form } from '../../ui';

/** Registers one more extension, and opens its page. */
export function Register(): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Register an extension</Button>
      <Dialog
        title="Register an extension"
        description="It is published nowhere until you connect a store."
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
      >
        <RegisterForm onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

/** Mounted while the dialog is open, so that nothing typed is left for the next extension. */
function RegisterForm({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const register = useWrite({
    write: () => answer(api.POST('/api/v1/extensions', { body: { name } })),
    changes: [['extensions'], ['overview']],
    announcement: (extension) => `Registered ${extension.name}.`,
  });
  return (
    <Form
      onSubmit={() => register.mutate(undefined, { onSuccess: ({ id }) => navigate(`/extensions/${id}`) })}
      problem={register.error}
      submit="Register"
      isBusy={register.isPending}
      isDisabled={name.trim() === ''}
      onCancel={onClose}
    >
      <Field
        label="Name of the extension"
        hint="As your users know it."
        value={name}
        onValue={setName}
        fault={register.error?.fault('name')}
        autoComplete="off"
      />
    </Form>
  );
}
