import { useState, type ReactElement } from 'react';
import { answer, answerWithTag, api, useDraft, useRead, type Problem, type Tagged } from '../../api';
import { useSession } from '../../session';
import { Button, CopyField, DraftForm, Field, FileField, ProblemNote, Skeleton } from '../../ui';
import { base64Of, colourIn, conflictsOf, drafted, logoFault } from './branding-edit';
import type { Branding, Draft } from './branding-edit';
import { BrandingPreview, Logo, type Shown } from './branding-preview';
import css from './branding.module.css';
import { Section, Settings } from './settings';

/** Branding of the tenant for buyers, with a preview. */
export function BrandingPage(): ReactElement {
  const { data, problem, retry } = useRead({
    queryKey: ['branding'],
    queryFn: ({ signal }) => answerWithTag(api.GET('/api/v1/branding', { signal })),
  });
  return (
    <Settings title="Branding" about="What buyers see of you, on the pages where they manage licenses and in mails.">
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {data === undefined && problem === null && <Skeleton label="branding" lines={6} />}
      {data !== undefined && (
        <Editor known={data} reread={async () => (await retry({ throwOnError: true })).data ?? data} />
      )}
    </Settings>
  );
}

interface EditorProps {
  readonly known: Tagged<Branding>;
  readonly reread: () => Promise<Tagged<Branding>>;
}

/** The form and its preview. */
function Editor({ known, reread }: EditorProps): ReactElement {
  const { can, tenant } = useSession();
  const isReadOnly = !can('extensions:write');
  const edit = useDraft({
    known,
    reread,
    write: (body: Draft, etag) =>
      answer(api.PATCH('/api/v1/branding', { params: etag === null ? {} : { header: { 'If-Match': etag } }, body })),
    changes: [['branding']],
    announcement: () => 'Saved. Buyers see it from now on.',
    conflictsOf,
  });
  const { base, draft, problem } = edit;
  const change = (one: Draft): void => {
    edit.revise((made, from) => drafted(made, one, from));
    edit.clear();
  };
  const wanted: Shown = { ...base, logo: base.logo?.url ?? null, ...draft };
  const colour = colourIn(wanted.accentColor ?? '');
  const isNewLogo = typeof draft.logo === 'string';
  return (
    <div className={css.columns}>
      <div className={css.form}>
        <DraftForm label="Branding" of="the branding" edit={edit} isReadOnly={isReadOnly}>
          <BrandingFields
            wanted={wanted}
            isNewLogo={isNewLogo}
            isReadOnly={isReadOnly}
            problem={problem}
            onChange={change}
          />
        </DraftForm>
        <Section title="Your buyers’ page" about="Link to it from your extension and your website: it has your look.">
          <CopyField label="address" value={`${window.location.origin}/buyer?seller=${tenant.id}`} />
        </Section>
      </div>
      <BrandingPreview shown={wanted} isNewLogo={isNewLogo} colour={colour} />
    </div>
  );
}

interface BrandingFieldsProps {
  readonly wanted: Shown;
  readonly isNewLogo: boolean;
  readonly isReadOnly: boolean;
  readonly problem: Problem | null;
  readonly onChange: (change: Draft) => void;
}

const orNull = (text: string): string | null => (text === '' ? null : text);

function BrandingFields(props: BrandingFieldsProps): ReactElement {
  const { wanted, isReadOnly, problem, onChange } = props;
  return (
    <>
      <Field
        label="Name"
        hint="The name that buyers know, up to 50 characters."
        dir="auto"
        autoComplete="off"
        value={wanted.displayName ?? ''}
        onValue={(name) => onChange({ displayName: orNull(name) })}
        fault={problem?.fault('displayName')}
        disabled={isReadOnly}
      />
      <Field
        label="Support address"
        hint="Where buyers ask for help: an e-mail address or an https URL."
        autoComplete="off"
        spellCheck={false}
        value={wanted.supportAddress ?? ''}
        onValue={(address) => onChange({ supportAddress: orNull(address.trim()) })}
        fault={problem?.fault('supportAddress')}
        disabled={isReadOnly}
      />
      <ColourField {...props} />
      <LogoField {...props} />
    </>
  );
}

function ColourField({ wanted, isReadOnly, problem, onChange }: BrandingFieldsProps): ReactElement {
  const { accentColor } = wanted;
  const colour = accentColor === null ? null : colourIn(accentColor);
  const set = (text: string): void => onChange({ accentColor: orNull(colourIn(text) ?? text.trim()) });
  return (
    <div className={css.colour}>
      <Field
        label="Accent colour"
        hint="Of links and buttons, such as #0b5fcc; pages make it darker or lighter where it could not be read. Empty: the colour of the service."
        autoComplete="off"
        spellCheck={false}
        value={accentColor ?? ''}
        onValue={set}
        fault={problem?.fault('accentColor')}
        disabled={isReadOnly}
      />
      <input
        type="color"
        aria-label="Choose the accent colour"
        className={css.swatch}
        value={colour ?? '#0b5fcc'}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        disabled={isReadOnly}
      />
    </div>
  );
}

function LogoField({ wanted, isNewLogo, isReadOnly, problem, onChange }: BrandingFieldsProps): ReactElement {
  const [fault, setFault] = useState<string | null>(null);
  const take = async (file: File): Promise<void> => {
    const found = await logoFault(file);
    setFault(found);
    if (found === null) onChange({ logo: await base64Of(file) });
  };
  const remove = (): void => {
    setFault(null);
    onChange({ logo: null });
  };
  return (
    <div className={css.logo}>
      {!isReadOnly && (
        <FileField
          label="Logo"
          hint="A PNG or JPEG picture of at most 64 kB and 1024 × 1024 pixels. Mails contain no picture."
          accept="image/png,image/jpeg"
          onFile={(file) => void take(file)}
          fault={fault ?? problem?.fault('logo')}
        />
      )}
      {isReadOnly && <strong>Logo</strong>}
      {wanted.logo === null ? (
        <span className={css.second}>There is no logo.</span>
      ) : (
        <div className={css.chosen}>
          <Logo logo={wanted.logo} isNew={isNewLogo} label="The logo" />
          {!isReadOnly && <Button onClick={remove}>Remove logo</Button>}
        </div>
      )}
    </div>
  );
}
