import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useQuery } from '@tanstack/react-query';
import { answer, api, asProblem, hasAnswered, type Schemas } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import { bytes, ButtonLink, Caution, FileField, PageHeader, ProblemNote, Select, Skeleton, Words } from '../../ui';
import { useExtension, useTargets, versionPath, type Target } from './data';
import { FindingList, type Finding } from './finding-list';
import { heldAt } from './findings';
import { NoPackage, readPackage, type PackageFacts } from './package-file';
import { choicesOf } from './places';
import { PushForm, type Push } from './push-form';
import { targetName } from './target-name';
import css from './extension.module.css';

interface Chosen {
  readonly file: File;
  readonly facts: PackageFacts;
}

const listIn = (manifest: PackageFacts['manifest'], field: string): readonly string[] => {
  const value = manifest[field];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
};

/** A new version: chosen, checked in the page, then pushed. */
export function PushPage({ params: { id = '' } }: PageProps): ReactElement {
  const extension = useExtension(id);
  const targets = useTargets(id);
  const mayPush = useSession().can('artifacts:write');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  // A large file may take longer to read than the one that is chosen after it.
  const latest = useRef<File>(undefined);
  const choose = async (file: File): Promise<void> => {
    latest.current = file;
    setChosen(null);
    setFault(null);
    try {
      const facts = await readPackage(file);
      if (latest.current === file) setChosen({ file, facts });
    } catch (thrown) {
      const why =
        thrown instanceof NoPackage ? thrown.message : 'The browser could not read the file. Choose it again.';
      if (latest.current === file) setFault(why);
    }
  };
  return (
    <>
      <PageHeader
        title="Push a version"
        back={{ href: `/extensions/${id}`, label: extension.data?.name ?? 'Extension' }}
      >
        {mayPush ? 'Choose the package, and see what to expect. Nothing goes to a store until you push it.' : undefined}
      </PageHeader>
      {extension.problem !== null && <ProblemNote problem={extension.problem} onRetry={extension.retry} />}
      {!mayPush && <p>Your role may not push.</p>}
      <div className={css.stack}>
        {mayPush && (
          <FileField
            label="Package of the extension"
            accept=".zip,application/zip"
            chosen={chosen?.file.name}
            onFile={(file) => void choose(file)}
          />
        )}
        {fault !== null && (
          <div role="alert">
            <Caution>{fault}</Caution>
          </div>
        )}
        {chosen !== null && !hasAnswered(targets.data, targets.problem) && <Skeleton label="targets" lines={2} />}
        {chosen !== null && hasAnswered(targets.data, targets.problem) && (
          <Preflight
            key={`${chosen.file.name} ${chosen.file.lastModified}`}
            id={id}
            chosen={chosen}
            targets={targets.data ?? []}
          />
        )}
      </div>
    </>
  );
}

interface PreflightProps {
  readonly id: string;
  readonly chosen: Chosen;
}

/** A package before its push: first the target is chosen, where one has to be. */
function Preflight({ id, chosen, targets }: PreflightProps & { readonly targets: readonly Target[] }): ReactElement {
  const [push, setPush] = useState<Push | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const choices = choicesOf(targets);
  if (push !== null) return <Pushed id={id} push={push} />;
  return (
    <>
      {choices.length > 0 && (
        <Select
          label="For"
          hint="A store has several targets, and a version is for one of them."
          placeholder="Choose a target"
          value={target}
          onValue={setTarget}
          options={choices.map((one) => ({ value: one.id, label: targetName(one, targets) }))}
        />
      )}
      {choices.length === 0 || target !== null ? (
        <Checked id={id} chosen={chosen} targetId={target} onPushed={setPush} />
      ) : (
        <Facts facts={chosen.facts} access={null} />
      )}
    </>
  );
}

interface CheckedProps extends PreflightProps {
  /** The one target that it is for; null for all. */
  readonly targetId: string | null;
  readonly onPushed: (push: Push) => void;
}

/** What the service would answer to the push, and then the push itself. */
function Checked({ id, chosen: { file, facts }, targetId, onPushed }: CheckedProps): ReactElement {
  const { manifest, size, sha256 } = facts;
  const check = useQuery({
    queryKey: ['extensions', id, 'check', sha256, targetId],
    enabled: sha256 !== null,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      answer(
        api.POST('/api/v1/artifacts/check', {
          params: { query: { extension: id, ...(targetId === null ? {} : { target: targetId }) } },
          body: { manifest, size, sha256: sha256 ?? '' },
          signal,
        }),
      ),
  });
  const problem = check.error === null ? null : asProblem(check.error);
  return (
    <>
      <Facts facts={facts} access={check.data?.access ?? null} />
      {sha256 === null ? (
        <Caution>The browser checks packages only over HTTPS. The service checks this one when you push it.</Caution>
      ) : (
        check.data === undefined &&
        (problem === null ? (
          <Skeleton label="the check" lines={2} />
        ) : (
          <ProblemNote problem={problem} onRetry={() => void check.refetch()} />
        ))
      )}
      {check.data !== undefined && <Judgement id={id} check={check.data} targetId={targetId} />}
      {(check.data !== undefined || sha256 === null) && (
        <PushForm
          id={id}
          file={file}
          version={check.data?.version ?? String(manifest['version'])}
          warns={(check.data?.warnings.length ?? 0) > 0}
          targetId={targetId}
          onPushed={onPushed}
        />
      )}
    </>
  );
}

/** Only what is refused is not accepted; the rest is advice. */
const headingOf = (findings: readonly Finding[]): string =>
  findings.some(({ severity }) => severity === 'refused') ? 'What the stores do not accept' : 'What to look at';

/** The warnings that the findings say one by one. */
const IN_FINDINGS: ReadonlySet<Schemas['PackageWarning']['kind']> = new Set(['refused', 'warning', 'note']);

interface JudgementProps {
  readonly id: string;
  readonly check: Schemas['PackageCheck'];
  /** The one target that it is for; null for all. */
  readonly targetId: string | null;
}

/** The service's judgement of a package by its manifest. */
function Judgement({ id, check, targetId }: JudgementProps): ReactElement {
  return (
    <>
      {check.deduplicated && <p>The same content was pushed before. Pushing it pins it again.</p>}
      {check.findings.length > 0 && (
        <section aria-labelledby="findings">
          <h2 id="findings">{headingOf(check.findings)}</h2>
          <p className={css.lead}>As far as the manifest tells. The files are judged when you push.</p>
          <FindingList findings={check.findings} />
          <Held id={id} findings={check.findings} targetId={targetId} />
        </section>
      )}
      {check.warnings
        .filter(({ kind }) => !IN_FINDINGS.has(kind))
        .map(({ kind, message }) => (
          <Caution key={kind}>{message}</Caution>
        ))}
    </>
  );
}

interface HeldProps {
  readonly id: string;
  readonly targetId: string | null;
  readonly findings: readonly Finding[];
}

/** The stores for which a version is held as it is. */
function Held({ id, findings, targetId }: HeldProps): ReactElement | null {
  const { data: targets = [] } = useTargets(id);
  const held = heldAt(findings, targets)
    .filter((target) => (targetId ?? target.id) === target.id)
    .map((target) => targetName(target, targets));
  if (held.length === 0) return null;
  return (
    <Caution>
      Held for {new Intl.ListFormat('en').format(held)}: push a mended package under the same number, or override what
      was found on the version’s page.
    </Caution>
  );
}

/** A version that was pushed, and what the stores do not accept in it. */
function Pushed({ id, push: { artifact, findings } }: { readonly id: string; readonly push: Push }): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={css.stack} aria-labelledby="pushed">
      <h2 id="pushed" tabIndex={-1} ref={heading}>
        Pushed {artifact.version}
      </h2>
      <p>{headingOf(findings)}:</p>
      <FindingList findings={findings} />
      <Held id={id} findings={findings} targetId={artifact.targetId} />
      <p>
        <ButtonLink kind="primary" href={`${versionPath(id, artifact.version)}#findings`}>
          Open {artifact.version}
        </ButtonLink>
      </p>
    </section>
  );
}

interface FactsProps {
  readonly facts: PackageFacts;
  /** What a new user has to accept; null while it is not known. */
  readonly access: readonly string[] | null;
}

/** What the package says of itself. Only the service compares it with what is live. */
function Facts({ facts: { manifest, size }, access }: FactsProps): ReactElement {
  return (
    <dl className={css.facts}>
      <dt>Name</dt>
      <dd>
        <Words text={String(manifest['name'])} />
      </dd>
      <dt>Version</dt>
      <dd>
        <Words text={String(manifest['version'])} />
      </dd>
      <dt>Size</dt>
      <dd>{bytes(size)}</dd>
      <dt>Permissions</dt>
      <dd>
        <Permissions
          names={[...listIn(manifest, 'permissions'), ...listIn(manifest, 'host_permissions')]}
          words={access}
        />
      </dd>
    </dl>
  );
}

interface PermissionsProps {
  readonly names: readonly string[];
  /** What people have to accept for them; null while it is not known. */
  readonly words: readonly string[] | null;
}

function Permissions({ names, words }: PermissionsProps): ReactElement {
  const all = <Words text={names.length === 0 ? 'none' : names.join(', ')} />;
  if (words === null || words.length === 0) return all;
  return (
    <>
      <ul className={css.plain}>
        {words.map((one) => (
          <li key={one}>
            <Words text={one} />
          </li>
        ))}
      </ul>
      <small>{all}</small>
    </>
  );
}
