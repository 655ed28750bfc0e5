import type { ReactElement } from 'react';
import { answer, api, useRead, type Schemas } from '../../api';
import { bytes, Hidden, ProblemNote, Skeleton } from '../../ui';
import css from './extension.module.css';

type Changes = NonNullable<Schemas['ArtifactChanges']['changes']>;

interface ChangesProps {
  readonly extensionId: string;
  readonly artifactId: string;
  /** The version to compare with. */
  readonly since: Schemas['ComparedVersion'];
}

/** Changes in a package since another version. */
export function ChangesSince({ extensionId, artifactId, since }: ChangesProps): ReactElement {
  const { data, problem, retry } = useRead({
    queryKey: ['extensions', extensionId, 'changes', artifactId, since.artifactId],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/artifacts/{id}/changes', {
          params: { path: { id: artifactId }, query: { since: since.artifactId } },
          signal,
        }),
      ),
  });
  if (problem !== null) return <ProblemNote problem={problem} onRetry={retry} />;
  if (data === undefined) return <Skeleton label="what changed" lines={3} />;
  if (data.changes === null) return <p>Pierhead has no package of both versions to compare.</p>;
  return <Differences changes={data.changes} />;
}

const NAMES = { permissions: 'Permissions', hosts: 'Sites', optional: 'Asked for later' } as const;

/** What differs between two packages. */
export function Differences({ changes }: { readonly changes: Changes }): ReactElement {
  const { manifest, files, warnings } = changes;
  const access = (['permissions', 'hosts', 'optional'] as const).filter(
    (kind) => changes[kind].added.length + changes[kind].removed.length > 0,
  );
  const changed = files.added + files.removed + files.changed;
  if (access.length + manifest.changed + changed === 0) return <p>The packages have the same files.</p>;
  return (
    <dl className={css.facts}>
      {access.map((kind) => (
        <Entry key={kind} name={NAMES[kind]}>
          {changes[kind].added.map((one) => (
            <Line key={`+${one}`} sign="+" text={one} />
          ))}
          {changes[kind].removed.map((one) => (
            <Line key={`-${one}`} sign="−" text={one} />
          ))}
        </Entry>
      ))}
      {warnings.length > 0 && (
        <Entry name="Chrome asks users">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </Entry>
      )}
      {manifest.changed > 0 && (
        <Entry name="Manifest" rest={manifest.changed - manifest.items.length}>
          {manifest.items.map(({ key, before, after }) => (
            <Line key={key} {...signOf(before, after)} text={key}>
              <Values before={before} after={after} />
            </Line>
          ))}
        </Entry>
      )}
      {changed > 0 && (
        <Entry name="Files" rest={changed - files.items.length}>
          {files.items.map(({ path, before, after }) => (
            <Line key={path} {...signOf(before, after)} text={path}>
              <Values before={sizeOf(before)} after={sizeOf(after)} />
            </Line>
          ))}
        </Entry>
      )}
    </dl>
  );
}

const sizeOf = (size: number | null): string | null => (size === null ? null : bytes(size));

type Sign = '+' | '−' | '~';
const SIGNS: Readonly<Record<Sign, string>> = { '+': 'added', '−': 'removed', '~': 'changed' };
const signOf = (before: unknown, after: unknown): { readonly sign: Sign } => ({
  sign: before === null ? '+' : after === null ? '−' : '~',
});

interface EntryProps {
  readonly name: string;
  /** Number of lines that are not shown. */
  readonly rest?: number;
  readonly children: React.ReactNode;
}

function Entry({ name, rest = 0, children }: EntryProps): ReactElement {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <ul className={css.changes} aria-label={name} tabIndex={0}>
          {children}
          {rest > 0 && <li>and {rest} more</li>}
        </ul>
      </dd>
    </>
  );
}

interface LineProps {
  readonly sign: Sign;
  readonly text: string;
  readonly children?: React.ReactNode;
}

function Line({ sign, text, children }: LineProps): ReactElement {
  return (
    <li>
      <span aria-hidden="true">{sign}</span> <Hidden>{SIGNS[sign]}:</Hidden> <code>{text}</code> {children}
    </li>
  );
}

function Values({ before, after }: { readonly before: string | null; readonly after: string | null }): ReactElement {
  const values = [before, after].filter((one) => one !== null);
  return (
    <small>
      <bdi>{values[0] === values[1] ? `${values[0]}, other content` : values.join(' → ')}</bdi>
    </small>
  );
}
