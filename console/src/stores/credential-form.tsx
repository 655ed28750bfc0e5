import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../api';
import { Checkbox, DayField, Field, FileField, Form, OutLink, Select, TextArea } from '../ui';
import { nested, type CredentialField, type Values } from './credential-values';
import { readKeyFile } from './key-file';
import css from './stores.module.css';

type Credential = Schemas['Credential'];
/** The `identity` of a credential whose processor could not be asked. */
const NOT_ASKED = 'webhook secret';

type CredentialForms = readonly (readonly CredentialField[])[];

/** Steps of a person at a store before the first push, with their pages. */
export function StoreSteps({ store }: { readonly store: Schemas['StoreDescription'] }): ReactElement {
  return (
    <ol className={css.steps}>
      {store.steps.map(({ number, text, url }) => (
        <li key={number}>
          {text} <OutLink href={url}>{new URL(url).host}</OutLink>
        </li>
      ))}
    </ol>
  );
}

/** A store or payment processor, and what it wants of a credential. */
export interface Provider {
  readonly id: Credential['store'];
  readonly title: string;
  /** The fields; several forms where one of several kinds of key will do. */
  readonly forms: CredentialForms;
  readonly lapsesAfterDays: number | null;
}

interface CredentialFormProps {
  readonly provider: Provider;
  /** The credential whose secrets are replaced; a new one is made without it. */
  readonly rotated?: Credential | null;
  readonly onSaved?: (credential: Credential) => void;
}

interface Entered {
  readonly fields: readonly CredentialField[];
  readonly values: Values;
  readonly label: string;
  /** A day; empty for the default. */
  readonly expires: string;
}

/** Makes a credential, or replaces the secrets of one. */
const useSave = ({ provider, rotated = null }: CredentialFormProps, { fields, values, label, expires }: Entered) =>
  useWrite({
    write: () => {
      const body = {
        label: label.trim() === '' ? null : label,
        credentials: nested(fields, values),
        ...(expires === '' ? {} : { expiresAt: `${expires}T00:00:00.000Z` }),
      };
      if (rotated === null) return answer(api.POST('/api/v1/credentials', { body: { store: provider.id, ...body } }));
      const params = { path: { id: rotated.id }, header: { 'If-Match': `"${rotated.updatedAt}"` } };
      return answer(api.PATCH('/api/v1/credentials/{id}', { params, body }));
    },
    changes: [['credentials'], ['extensions'], ['inbox']],
    announcement: ({ identity }) =>
      identity === NOT_ASKED
        ? `Saved the secret of ${provider.title}.`
        : `${provider.title} accepted the key of ${identity}.`,
  });

/** Asks for a key, by hand or as the downloaded file. Whether it works is tried before it is saved, encrypted. */
export function CredentialForm(props: CredentialFormProps): ReactElement {
  const { provider, rotated = null, onSaved } = props;
  const { title, forms, lapsesAfterDays } = provider;
  const [form, setForm] = useState('0');
  const [entered, setEntered] = useState<Omit<Entered, 'fields'>>({
    values: {},
    label: rotated?.label ?? '',
    expires: '',
  });
  const change = (changed: Partial<Omit<Entered, 'fields'>>): void => setEntered((now) => ({ ...now, ...changed }));
  const fill = (found: Values): void => setEntered((now) => ({ ...now, values: { ...now.values, ...found } }));
  const fields = forms[Number(form)] ?? [];
  const { values, label, expires } = entered;
  const mayBeEmpty = ({ isRequired, isKept = false }: CredentialField): boolean =>
    !isRequired || (isKept && rotated !== null);
  // A required field is sent empty as well, so that what is wrong is said at the field.
  const own = fields
    .map((field) => ({ name: field.name, isRequired: !mayBeEmpty(field), value: values[field.name] ?? '' }))
    .filter(({ isRequired, value }) => isRequired || value.trim() !== '');
  const save = useSave(props, {
    ...entered,
    fields,
    values: Object.fromEntries(own.map(({ name, value }) => [name, value])),
  });
  return (
    <Form
      label={`Key of ${title}`}
      onSubmit={() => save.mutate(undefined, { onSuccess: (credential) => onSaved?.(credential) })}
      problem={save.error}
      submit={rotated === null ? 'Check and save' : 'Check and replace'}
      isBusy={save.isPending}
      also={lapsesAfterDays !== null && <span className={css.hint}>The key expires after {lapsesAfterDays} days.</span>}
    >
      {forms.length > 1 && (
        <Select
          label="Kind of key"
          value={form}
          onValue={setForm}
          options={forms.map((each, index) => ({ value: String(index), label: kindOf(each, forms) }))}
        />
      )}
      <KeyFiles fields={fields} onRead={fill} />
      {fields.map((field) => (
        <Value
          key={field.name}
          field={field}
          isOptional={mayBeEmpty(field)}
          value={values[field.name] ?? ''}
          onValue={(value) => fill({ [field.name]: value })}
          fault={save.error?.fault(`credentials.${field.name}`)}
        />
      ))}
      <details open={save.error?.fault('label') !== undefined || save.error?.fault('expiresAt') !== undefined}>
        <summary>Name and expiry (optional)</summary>
        <div className={css.more}>
          <Field
            label="Name"
            hint="Distinguishes several keys for the same store."
            value={label}
            onValue={(text) => change({ label: text })}
            fault={save.error?.fault('label')}
          />
          <DayField
            label="Expires"
            hint="You are reminded before that day."
            value={expires}
            onValue={(day) => change({ expires: day })}
            fault={save.error?.fault('expiresAt')}
          />
        </div>
      </details>
    </Form>
  );
}

interface ValueProps {
  readonly field: CredentialField;
  readonly isOptional: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault: string | undefined;
}

function Value({ field, isOptional, ...rest }: ValueProps): ReactElement {
  const { title, how, isSecret, isRequired, isSwitch = false, file } = field;
  const shared = {
    ...rest,
    label: isOptional ? `${title} (optional)` : title,
    hint: isOptional && isRequired ? 'Empty: as it is.' : how,
    autoComplete: 'off',
    spellCheck: false,
  };
  if (isSwitch)
    return (
      <Checkbox
        label={title}
        hint={how}
        checked={rest.value === 'true'}
        onChecked={(checked) => rest.onValue(String(checked))}
      />
    );
  return file !== undefined && isSecret ? (
    <TextArea {...shared} />
  ) : (
    <Field {...shared} type={isSecret ? 'password' : 'text'} />
  );
}

interface KeyFilesProps {
  readonly fields: readonly CredentialField[];
  readonly onRead: (values: Values) => void;
}

/** The files that contain fields, each read in this browser. */
function KeyFiles({ fields, onRead }: KeyFilesProps): ReactElement {
  const [said, setSaid] = useState<{ readonly of: string; readonly fault?: string; readonly hint?: string }>();
  const names = [...new Set(fields.flatMap(({ file }) => file?.name ?? []))];
  const read = async (of: string, file: File): Promise<void> => {
    try {
      onRead(readKeyFile(fields, of, { name: file.name, text: await file.text() }));
      setSaid({ of, hint: `Read ${file.name}.` });
    } catch (fault) {
      setSaid({ of, fault: fault instanceof Error ? fault.message : 'The file cannot be read.' });
    }
  };
  return (
    <>
      {names.map((of) => (
        <FileField
          key={of}
          label={`Key file (${of.replaceAll(/\{[^}]*\}/g, '…')})`}
          hint={(said?.of === of && said.hint) || 'Fills in the fields below. It is read in this browser.'}
          fault={said?.of === of ? said.fault : undefined}
          onFile={(file) => void read(of, file)}
        />
      ))}
    </>
  );
}

/** Names a form by the fields that not every form of the provider has. */
function kindOf(form: readonly CredentialField[], forms: CredentialForms): string {
  const isOwn = (name: string): boolean => !forms.every((other) => other.some((field) => field.name === name));
  const own = form.filter(({ name }) => isOwn(name));
  return (own.length === 0 ? form : own).map(({ title }) => title).join(', ');
}
