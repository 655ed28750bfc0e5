import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { answer, answerWithTag, api, together, useDraft, useRead, useStores, useWrite, type Tagged } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import {
  Button,
  ConfirmByName,
  DraftForm,
  OutLink,
  PageHeader,
  ProblemNote,
  Skeleton,
  Status,
  Time,
  useFilters,
  Words,
} from '../../ui';
import { useExtension, useReleases, useTargets, type StoreDescription, type Target } from './data';
import { Inquiry } from './inquiry';
import { SigningKey } from './signing-key';
import { TargetFields } from './target-form';
import { conflictsOf, type Settings } from './target-edit';
import { TargetActions } from './target-actions';
import { targetName } from './target-name';
import { TargetRollout } from './target-rollout';
import css from './extension.module.css';

/** A target: what the store says, what is needed there, and its settings. Links open one of its actions by `?do=release`. */
export function TargetPage({ params: { id = '', targetId = '' } }: PageProps): ReactElement {
  const [search, setSearch] = useFilters({ replace: true });
  const extension = useExtension(id);
  const stores = useStores();
  const targets = useTargets(id);
  const target = useRead({
    queryKey: ['extensions', id, 'targets', targetId],
    queryFn: ({ signal }) =>
      answerWithTag(
        api.GET('/api/v1/extensions/{id}/targets/{targetId}', { params: { path: { id, targetId } }, signal }),
      ),
  });
  const { problem, retry } = together(extension, stores, targets, target);
  const store = stores.data?.find((one) => one.id === target.data?.data.store);
  const label = extension.data?.name ?? 'Extension';
  const back = { href: `/extensions/${id}`, label };
  const note = problem && <ProblemNote problem={problem} onRetry={retry} />;
  if (target.data === undefined || store === undefined || stores.data === undefined || targets.data === undefined)
    return (
      <>
        <PageHeader title="Target" back={back} />
        {note ?? <Skeleton label="target" lines={6} />}
      </>
    );
  const known = target.data;
  const { data } = known;
  const name = targetName(data, targets.data);
  const refetch = async (): Promise<Tagged<Target>> => (await target.retry({ throwOnError: true })).data ?? known;
  return (
    <>
      <PageHeader
        title={name}
        back={back}
        actions={
          <TargetActions
            target={data}
            name={name}
            store={store}
            asked={search.get('do')}
            onClose={() => setSearch('do', '')}
          />
        }
      />
      {note}
      <TargetStatus target={data} name={name} store={store} extension={label} />
      <Editor known={known} refetch={refetch} store={store} stores={stores.data} name={name} />
      {store.capabilities.signedPackages && <SigningKey target={data} store={store} name={name} />}
    </>
  );
}

const HEALTHS = {
  failing: 'Its attempts fail',
  stalled: 'No progress',
  overdue: 'Pierhead should have asked the store',
} as const satisfies Record<Exclude<Target['health']['state'], 'ok'>, string>;

/** Obstacle of a target, where its phase does not show it. */
function Health({ target: { health } }: { readonly target: Target }): ReactElement | null {
  const { state, at } = health;
  if (state === 'ok') return null;
  return (
    <Status state={state === 'overdue' ? 'rejected' : 'needs_you'}>
      <span>
        {HEALTHS[state]}
        {at !== null && state !== 'overdue' && ' since'} {at !== null && <Time at={at} />}
      </span>
    </Status>
  );
}

interface TargetStatusProps {
  readonly target: Target;
  readonly name: string;
  readonly store: StoreDescription;
  readonly extension: string;
}

/** The phase of a target, and what the store needs. */
function TargetStatus({ target, name, store, extension }: TargetStatusProps): ReactElement {
  const { status } = target;
  const { data: releases = [] } = useReleases(target.extensionId);
  const newest = releases.flatMap(({ version, targets }) =>
    targets.filter(({ targetId }) => targetId === target.id).map((release) => ({ version, release })),
  )[0];
  return (
    <section className={css.section} aria-labelledby="status">
      <h2 id="status">At the store</h2>
      <Status state={target.display.tone}>{target.display.word}</Status>
      <p>
        <Words text={status.message} />
      </p>
      <Health target={target} />
      {target.rollout !== null && <TargetRollout target={target} name={name} rollout={target.rollout} />}
      <dl className={css.facts}>
        {target.rollout === null && (
          <>
            <dt>Live</dt>
            <dd>{status.liveVersion ?? 'nothing known'}</dd>
          </>
        )}
        <dt>Last check</dt>
        <dd>{status.checkedAt === null ? 'never' : <Time at={status.checkedAt} />}</dd>
        <dt>Next check</dt>
        <dd>{status.nextCheckAt === null ? 'not planned' : <Time at={status.nextCheckAt} />}</dd>
      </dl>
      {(!target.enabled || status.missing.length > 0 || status.phase === 'action_required') && (
        <details>
          <summary>What to do at {store.title}</summary>
          <ol>
            {store.steps.map(({ number, text, url }) => (
              <li key={number}>
                {text} <OutLink href={url}>Open</OutLink>
              </li>
            ))}
          </ol>
          <ul>
            {store.links.map(({ title, url }) => (
              <li key={url}>
                <OutLink href={url}>{title}</OutLink>
              </li>
            ))}
          </ul>
        </details>
      )}
      {store.id === 'edge' && newest !== undefined && (
        <Inquiry inquiry={{ extension, target, version: newest.version, release: newest.release, submittedAt: null }} />
      )}
    </section>
  );
}

interface EditorProps {
  readonly known: Tagged<Target>;
  readonly refetch: () => Promise<Tagged<Target>>;
  readonly store: StoreDescription;
  readonly stores: readonly StoreDescription[];
  readonly name: string;
}

/** The settings of a target. */
function Editor({ known, refetch, store, stores, name }: EditorProps): ReactElement {
  const { can } = useSession();
  const { extensionId, id } = known.data;
  const [isDeleting, setIsDeleting] = useState(false);
  const isReadOnly = !can('extensions:write');
  const edit = useDraft({
    known,
    reread: refetch,
    write: (body: Settings, etag) =>
      answer(
        api.PATCH('/api/v1/extensions/{id}/targets/{targetId}', {
          params: {
            path: { id: extensionId, targetId: id },
            ...(etag === null ? {} : { header: { 'If-Match': etag } }),
          },
          body,
        }),
      ),
    changes: [['extensions', extensionId]],
    announcement: () => `Saved the settings of ${name}.`,
    conflictsOf,
  });
  return (
    <section className={css.section} aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <DraftForm label="Settings" of="this target" edit={edit} isReadOnly={isReadOnly} isLeaving={isDeleting}>
        <TargetFields
          target={{ ...edit.base, ...edit.draft }}
          store={store}
          stores={stores}
          isReadOnly={isReadOnly}
          isRollingOut={edit.base.status.phase === 'live' && edit.base.rollout !== null}
          problem={edit.problem}
          onChange={(change) => edit.revise((made) => ({ ...made, ...change }))}
        />
      </DraftForm>
      {!isReadOnly && <Deletion known={known} name={name} isOpen={isDeleting} onOpen={setIsDeleting} />}
    </section>
  );
}

interface DeletionProps {
  readonly known: Tagged<Target>;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

function Deletion({ known: { data, etag }, name, isOpen, onOpen }: DeletionProps): ReactElement {
  const [, navigate] = useLocation();
  const remove = useWrite({
    write: () =>
      answer(
        api.DELETE('/api/v1/extensions/{id}/targets/{targetId}', {
          params: {
            path: { id: data.extensionId, targetId: data.id },
            ...(etag === null ? {} : { header: { 'If-Match': etag } }),
          },
        }),
      ),
    changes: [
      ['extensions', data.extensionId, 'targets'],
      ['extensions', data.extensionId, 'releases'],
    ],
    announcement: () => `Deleted ${name}.`,
  });
  return (
    <>
      <p className={css.danger}>
        <Button kind="danger" onClick={() => onOpen(true)}>
          Delete target
        </Button>
      </p>
      <ConfirmByName
        title={`Delete ${name}`}
        description="Its settings and history are deleted permanently. The store keeps what it has."
        name={name}
        action="Delete target"
        isOpen={isOpen}
        isBusy={remove.isPending}
        problem={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate(`/extensions/${data.extensionId}`) })}
        onClose={() => {
          onOpen(false);
          remove.reset();
        }}
      />
    </>
  );
}
