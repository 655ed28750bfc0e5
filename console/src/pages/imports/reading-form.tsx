import { useState, type ReactElement } from 'react';
import { answer, api, useChoices, useWrite, type Schemas } from '../../api';
import { counted, Form, number, Select } from '../../ui';
import { FIELDS, TOOLS, WORDS, type FileImport, type Profile } from './import-words';
import css from './imports.module.css';
import { EVERY_PRODUCT, heldBy, IGNORED, isNothing, LEFT_OUT, NOTHING_SAID, previewOf, type Said } from './reading';

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const FIELD_OPTIONS = [{ value: IGNORED, label: 'not read' }, ...optionsOf(FIELDS)];
const TOOL_OPTIONS = optionsOf(TOOLS) as { readonly value: Profile; readonly label: string }[];
const WORD_OPTIONS = optionsOf(WORDS);

interface ReadingFormProps {
  readonly file: FileImport;
}

/** How a file is read: by which tool's names, what its columns hold, and what its products and statuses come to. */
export function ReadingForm({ file }: ReadingFormProps): ReactElement {
  const [said, setSaid] = useState(NOTHING_SAID);
  const preview = useWrite({
    write: (body: Schemas['PreviewImport']) =>
      answer(api.POST('/api/v1/license-imports/{id}/preview', { params: { path: { id: file.id } }, body })),
    changes: [['license-imports']],
    announcement: () => 'The file is checked again.',
  });
  const send = (body: Schemas['PreviewImport']): void =>
    preview.mutate(body, { onSuccess: () => setSaid(NOTHING_SAID) });
  const say = (part: keyof Said, name: string) => (value: string) =>
    setSaid((now) => ({ ...now, [part]: { ...now[part], [name]: value } }));
  const shared = { file, said, say };
  return (
    <section className={css.section} aria-labelledby="reading">
      <h2 id="reading">How the file is read</h2>
      <Form
        onSubmit={() => send(previewOf(file, said))}
        problem={preview.error}
        submit="Check again"
        kind={file.state === 'unread' ? 'primary' : 'plain'}
        isBusy={preview.isPending}
        isDisabled={isNothing(said)}
      >
        <Select<Profile>
          label="Tool"
          value={file.profile}
          placeholder="Another one"
          onValue={(profile) => send({ profile })}
          options={TOOL_OPTIONS}
          hint="Another tool proposes the columns anew."
        />
        <Columns {...shared} />
        <Products {...shared} />
        <Statuses {...shared} />
      </Form>
    </section>
  );
}

interface PartProps extends ReadingFormProps {
  readonly said: Said;
  readonly say: (part: keyof Said, name: string) => (value: string) => void;
}

function Columns({ file, said, say }: PartProps): ReactElement {
  const choice = (column: FileImport['columns'][number], at: number): ReactElement => (
    <Select
      key={at}
      label={column.name || 'Column without a name'}
      value={heldBy(column, said)}
      onValue={say('columns', column.name)}
      options={FIELD_OPTIONS}
    />
  );
  const rest = file.columns.filter(({ field }) => field === null);
  return (
    <fieldset className={css.group}>
      <legend>What its columns hold</legend>
      <div className={css.choices}>{file.columns.filter(({ field }) => field !== null).map(choice)}</div>
      {rest.length > 0 && (
        <details open={file.missing.length > 0}>
          <summary>
            {rest.length === 1 ? 'One column is not read' : `${number(rest.length)} columns are not read`}
          </summary>
          <div className={css.choices}>{rest.map(choice)}</div>
        </details>
      )}
    </fieldset>
  );
}

/** What a value of some lines comes to. Until somebody says it, those lines have a fault. */
const shown = (name: string, lines: number, value: string | null) => ({
  label: `${name}, ${counted(lines, 'line')}`,
  value,
  fault: value === null ? 'Choose what it is here, or leave these lines out.' : undefined,
});

/** The tier of each product; that of all lines where no column tells products apart. */
function Products({ file: { extensionId, products, missing }, said, say }: PartProps): ReactElement | null {
  const { data: plans } = useChoices('plans', (query, signal) =>
    answer(api.GET('/api/v1/plans', { params: { query }, signal })),
  );
  const tiers = (plans ?? [])
    .filter((plan) => plan.extensionId === extensionId)
    .map(({ tier }) => ({ value: tier, label: tier }));
  const hint = plans !== undefined && tiers.length === 0 ? 'The extension has no plan yet: make one first.' : undefined;
  if (products.length === 0 && !missing.includes('tier')) return null;
  return (
    <fieldset className={css.group}>
      <legend>The plan of its lines</legend>
      {missing.includes('tier') && (
        <Select
          label="All lines"
          value={said.tiers[EVERY_PRODUCT] ?? null}
          onValue={say('tiers', EVERY_PRODUCT)}
          options={tiers}
          hint={hint ?? 'Or choose above which column holds the tier.'}
        />
      )}
      {products.map(({ value, lines, tier }) => (
        <Select
          key={value}
          {...shown(value || 'Without a product', lines, said.tiers[value] ?? tier)}
          onValue={say('tiers', value)}
          options={[...tiers, { value: LEFT_OUT, label: WORDS.skip }]}
          hint={hint}
        />
      ))}
    </fieldset>
  );
}

function Statuses({ file: { statuses }, said, say }: PartProps): ReactElement | null {
  if (statuses.length === 0) return null;
  return (
    <fieldset className={css.group}>
      <legend>What its statuses mean</legend>
      {statuses.map(({ value, lines, status }) => (
        <Select
          key={value}
          {...shown(value || 'Without a status', lines, said.statuses[value] ?? status)}
          onValue={say('statuses', value)}
          options={WORD_OPTIONS}
        />
      ))}
    </fieldset>
  );
}
