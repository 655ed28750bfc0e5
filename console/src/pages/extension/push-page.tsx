import { useEffect, useRef, useState, type DragEvent, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useQuery } from '@tanstack/react-query';
import { answer, api, asProblem, useStores, useWrite, type Problem, type Schemas } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import { bytes, Caution, classes, Form, PageHeader, percent, ProblemNote, Skeleton, TextArea, Words } from '../../ui';
import { useArtifacts, useExtension, useTargets, versionPath, type Artifact, type Target } from './data';
import { NoPackage, readPackage, type PackageFacts } from './package-file';
import { upload } from './upload';
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
  const mayPush = useSession().can('artifacts:write');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  // A large file may take longer to read than the one that is chosen after it.
  const latest = useRef<File>(undefined);
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
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
        {mayPush ? 'Choose the package and see what changes. Nothing goes to a store until you push it.' : undefined}
      </PageHeader>
      {extension.problem !== null && <ProblemNote problem={extension.problem} onRetry={extension.retry} />}
      {!mayPush && <p>Your role may not push.</p>}
      <div className={css.stack}>
        {mayPush && <Drop onFile={(file) => void choose(file)} chosen={chosen?.file.name ?? null} />}
        {fault !== null && (
          <div role="alert">
            <Caution>{fault}</Caution>
          </div>
        )}
        {chosen !== null && (
          <Preflight key={`${chosen.file.name} ${chosen.file.lastModified}`} id={id} chosen={chosen} />
        )}
      </div>
    </>
  );
}

interface DropProps {
  readonly onFile: (file: File | undefined) => void;
  readonly chosen: string | null;
}

function Drop({ onFile, chosen }: DropProps): ReactElement {
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <label
      className={classes(css.drop, isOver && css.over)}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <span>{chosen === null ? 'Drop the zip of the extension here, or choose it' : `Chosen: ${chosen}`}</span>
      <input type="file" accept=".zip,application/zip" onChange={(event) => onFile(event.target.files?.[0])} />
    </label>
  );
}

function Preflight({ id, chosen: { file, facts } }: { readonly id: string; readonly chosen: Chosen }): ReactElement {
  const { manifest, size, sha256 } = facts;
  const check = useQuery({
    queryKey: ['extensions', id, 'check', sha256],
    enabled: sha256 !== null,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      answer(
        api.POST('/api/v1/artifacts/check', {
          params: { query: { extension: id } },
          body: { manifest, size, sha256: sha256 ?? '' },
          signal,
        }),
      ),
  });
  const problem = check.error === null ? null : asProblem(check.error);
  return (
    <>
      <Comparison id={id} facts={facts} access={check.data?.access ?? null} />
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
      {check.data?.deduplicated === true && <p>The same content was pushed before. Pushing it pins it again.</p>}
      {check.data?.warnings.map(({ kind, message }) => (
        <Caution key={kind}>{message}</Caution>
      ))}
      {(check.data !== undefined || sha256 === null) && (
        <PushForm
          id={id}
          file={file}
          version={check.data?.version ?? String(manifest['version'])}
          warns={(check.data?.warnings.length ?? 0) > 0}
        />
      )}
    </>
  );
}

/** The package beside the one that users have now. */
function Comparison({
  id,
  facts: { manifest, size },
  access,
}: {
  readonly id: string;
  readonly facts: PackageFacts;
  /** Permissions that a new user has to accept; null while they are not known. */
  readonly access: readonly string[] | null;
}): ReactElement {
  const { data: targets = [] } = useTargets(id);
  const { data: artifacts = [] } = useArtifacts(id);
  const liveVersions = new Set(targets.map(({ status }) => status.liveVersion));
  const live = artifacts.find((one) => liveVersions.has(one.version) && one.manifest !== null);
  const asked = [...listIn(manifest, 'permissions'), ...listIn(manifest, 'host_permissions')];
  const had = live?.manifest ? [...live.manifest.permissions, ...live.manifest.hostPermissions] : null;
  const added = had === null ? asked : asked.filter((one) => !had.includes(one));
  const dropped = had?.filter((one) => !asked.includes(one)) ?? [];
  return (
    <dl className={css.facts}>
      <dt>Name</dt>
      <dd>
        <Words text={String(manifest['name'])} />
      </dd>
      <dt>Version</dt>
      <dd>
        <Words text={String(manifest['version'])} />
        {live !== undefined && ` (live: ${live.version})`}
      </dd>
      <dt>Size</dt>
      <dd>
        {bytes(size)}
        {live?.size != null && ` (live: ${bytes(live.size)})`}
      </dd>
      <dt>{had === null ? 'Permissions' : 'New permissions'}</dt>
      <dd>
        <Permissions names={added} words={had === null ? access : null} />
      </dd>
      {dropped.length > 0 && (
        <>
          <dt>Permissions removed</dt>
          <dd>
            <Words text={dropped.join(', ')} />
          </dd>
        </>
      )}
    </dl>
  );
}

interface PermissionsProps {
  readonly names: readonly string[];
  /** Permissions that people have to accept for them, if they are to be shown. */
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

interface PushFormProps {
  readonly id: string;
  readonly file: File;
  readonly version: string;
  readonly warns: boolean;
}

/** The current upload, and the share of it that has been sent. */
interface Sending {
  readonly what: 'package' | 'sources';
  readonly share: number;
}

/** Lets the browser ask before somebody closes or reloads the page, which would end what is being sent. */
function useBrowserAsks(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
}

/** Targets of a version that is pushed now. */
function destination(targets: readonly Target[]): string {
  const names = targets.filter(({ enabled }) => enabled).map((target) => targetName(target, targets));
  if (names.length === 0) return 'No store is enabled: the version is kept until one is.';
  return `Goes to ${new Intl.ListFormat('en').format(names)}.`;
}

function PushForm({ id, file, version, warns }: PushFormProps): ReactElement {
  const [, navigate] = useLocation();
  const { data: stores = [] } = useStores();
  const { data: targets } = useTargets(id);
  const [notes, setNotes] = useState('');
  const [reviewerNotes, setReviewerNotes] = useState('');
  const [source, setSource] = useState<File | undefined>();
  const [sending, setSending] = useState<Sending | null>(null);
  const takes = (capability: 'releaseNotes' | 'reviewerNotes' | 'sourceUpload'): boolean =>
    stores.some(
      ({ id: store, capabilities }) =>
        capabilities[capability] && targets?.some((one) => one.enabled && one.store === store),
    );
  const push = useWrite<undefined, Artifact>({
    write: async () => {
      const query = new URLSearchParams({ extension: id, version });
      const fields = {
        ...(notes.trim() === '' ? {} : { notes }),
        ...(reviewerNotes.trim() === '' ? {} : { reviewerNotes }),
      };
      if (source !== undefined) query.set('source', 'follows');
      const onProgress = (what: Sending['what']) => (share: number) => setSending({ what, share });
      try {
        const { artifact } = await upload<Schemas['UploadedPush']>({
          path: `/artifacts?${query}`,
          body: file,
          type: 'application/zip',
          fields,
          onProgress: onProgress('package'),
        });
        if (source === undefined) return artifact;
        const type = source.type === '' ? 'application/octet-stream' : source.type;
        return await upload<Artifact>({
          path: `/artifacts/${artifact.id}/source`,
          body: source,
          type,
          onProgress: onProgress('sources'),
        });
      } finally {
        setSending(null);
      }
    },
    changes: [['extensions', id]],
    announcement: (artifact) => `Pushed ${artifact.version}.`,
  });
  useBrowserAsks(push.isPending);
  const done = (artifact: Artifact): void => navigate(versionPath(id, artifact.version));
  return (
    <Form
      label="Push"
      onSubmit={() => push.mutate(undefined, { onSuccess: done })}
      problem={push.error satisfies Problem | null}
      submit={`Push ${version}${warns ? ' anyway' : ''}`}
      isBusy={push.isPending}
    >
      {takes('releaseNotes') && (
        <TextArea
          label="What is new"
          hint="Optional. For stores that show it."
          value={notes}
          onValue={setNotes}
          fault={push.error?.fault('notes')}
        />
      )}
      {takes('reviewerNotes') && (
        <TextArea
          label="Notes for reviewers"
          hint="Optional. The target’s own when empty."
          value={reviewerNotes}
          onValue={setReviewerNotes}
          fault={push.error?.fault('reviewerNotes')}
        />
      )}
      {takes('sourceUpload') && (
        <label className={css.drop}>
          <span>Sources, where your code is built or minified (.zip, .tar.gz, .tgz, .tar.bz2)</span>
          <input type="file" accept=".zip,.gz,.tgz,.bz2" onChange={(event) => setSource(event.target.files?.[0])} />
        </label>
      )}
      {targets !== undefined && <p>{destination(targets)}</p>}
      {sending !== null && (
        <label>
          Sending the {sending.what}: {percent(sending.share)}
          <progress className={css.progress} value={sending.share} max={1} />
        </label>
      )}
    </Form>
  );
}
