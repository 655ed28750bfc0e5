import { useState, type ReactElement } from 'react';
import { answer, api, useWrite } from '../../api';
import { Field, Form } from '../../ui';

/** Registers an extension, which makes one disabled target per store. */
export function ExtensionStep(): ReactElement {
  const [name, setName] = useState('');
  const create = useWrite({
    write: () => answer(api.POST('/api/v1/extensions', { body: { name } })),
    changes: [['extensions'], ['overview']],
    announcement: (extension) => `Registered ${extension.name}.`,
  });
  return (
    <Form
      label="Register an extension"
      onSubmit={() => create.mutate(undefined)}
      problem={create.error}
      submit="Register"
      isBusy={create.isPending}
    >
      <Field
        label="Name of the extension"
        hint="As your users know it. Nothing happens at any store yet."
        value={name}
        onValue={setName}
        fault={create.error?.fault('name')}
      />
    </Form>
  );
}
