import { useState, type ReactElement } from 'react';
import { useQueries } from '@tanstack/react-query';
import { answer, api, asProblem, together, useRead, useWrite, type Read, type Schemas } from '../../api';
import { Caution, Checkbox, Dialog, Form, ProblemNote, Select, Skeleton } from '../../ui';
import { pin, useArtifacts, useReleases, useTargets, type Artifact, type Target } from './data';
import { NextStep, stepOf } from './next-step';
import { placeOf } from './places';
import { offersOf, pinFor, receiversOf, type Pushed } from './promotion';
import { targetName } from './target-name';
import css from './extension.module.css';

interface PromoteProps {
  readonly target: Target;
  readonly name: string;
  readonly onClose: () => void;
}

/** Pins what a store has for other stores, with what follows there, and takes that back. */
export function Promote({ target, name, onClose }: PromoteProps): ReactElement {
  const artifacts = useArtifacts(target.extensionId);
  const releases = useReleases(target.extensionId);
  const targets = useTargets(target.extensionId);
  const { problem, retry } = together(artifacts, releases, targets);
  const all = [artifacts.data, releases.data, targets.data] as const;
  const [pushed, versions, places] = all;
  return (
    <Dialog
      title={`Promote: ${name}`}
      description={`Other stores get the package that ${name} has, with its notes and sources.`}
      isOpen
      onClose={onClose}
    >
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {problem === null && all.includes(undefined) && <Skeleton label="versions" lines={2} />}
      {pushed !== undefined && versions !== undefined && places !== undefined && (
        <Choice target={target} name={name} targets={places} artifacts={pushed} releases={versions} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ChoiceProps extends PromoteProps, Pushed<Artifact> {
  readonly targets: readonly Target[];
}

/** The new pin for a store, and the one before. */
interface Pinned {
  readonly target: Target;
  readonly before: Artifact | undefined;
}

/** The names of some targets among all of the extension. */
const namesOf = (some: readonly Target[], targets: readonly Target[]): string =>
  new Intl.ListFormat('en').format(some.map((one) => targetName(one, targets)));

function Choice({ target, name, targets, artifacts, releases, onClose }: ChoiceProps): ReactElement {
  // State at the beginning, since the pins that are made here change all of it.
  const [offers] = useState(() => offersOf(target, { artifacts, releases }));
  const [version, setVersion] = useState(offers[0]?.version ?? '');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<readonly Pinned[]>([]);
  const offer = offers.find((one) => one.version === version);
  const receivers = offer === undefined || done.length > 0 ? [] : receiversOf(target.store, version, targets);
  const checks = useChecks(offer, receivers, targets);
  const plan = usePlan(target.extensionId, offer);
  const chosen = receivers.filter((one, index) => !left.has(one.id) && checks[index]?.problem === null);
  const promote = useWrite({
    write: async (to: readonly Target[]) => {
      for (const one of to) {
        await pin(offer?.id ?? '', placeOf(one, targets));
        setDone((before) => [...before, { target: one, before: pinFor(one, artifacts) }]);
      }
    },
    changes: [['extensions', target.extensionId]],
    announcement: (_, to) => `${namesOf(to, targets)} ${to.length === 1 ? 'gets' : 'get'} ${version}.`,
  });
  if (done.length > 0)
    return (
      <PromotionResult
        targets={targets}
        extensionId={target.extensionId}
        version={version}
        pinned={done}
        problem={promote.error}
        onClose={onClose}
      />
    );
  if (offer === undefined)
    return (
      <Form onSubmit={onClose} submit={null} onCancel={onClose} cancel="Close">
        <Caution>Pierhead has no package of what {name} has. Push it once, and it can be promoted.</Caution>
      </Form>
    );
  return (
    <Form
      onSubmit={() => promote.mutate(chosen)}
      problem={promote.error}
      submit={chosen.length === 0 ? 'Promote' : `Promote ${version} to ${namesOf(chosen, targets)}`}
      isBusy={promote.isPending}
      isDisabled={chosen.length === 0}
      onCancel={onClose}
    >
      {offers.length > 1 && (
        <Select
          label="Version"
          value={version}
          onValue={setVersion}
          options={offers.map((one) => ({
            value: one.version,
            label: `${one.version}, ${one.version === target.status.liveVersion ? 'live' : 'pinned'}`,
          }))}
        />
      )}
      {receivers.length === 0 && <p>Every other store that is enabled is at {version} or on its way there.</p>}
      {receivers.map((one, index) => (
        <Checkbox
          key={one.id}
          label={`${targetName(one, targets)}: ${version}`}
          hint={<Follows target={one} check={checks[index]} plan={plan} />}
          checked={chosen.includes(one)}
          disabled={checks[index]?.problem !== null}
          onChecked={(checked) =>
            setLeft(checked ? new Set([...left].filter((id) => id !== one.id)) : new Set([...left, one.id]))
          }
        />
      ))}
    </Form>
  );
}

/** A store's answer in advance; `problem` is undefined until that is known. */
interface Check {
  readonly warnings: readonly string[];
  readonly problem: string | null | undefined;
}

/** Asks for each store what a push of the package would be answered, which changes nothing. */
function useChecks(
  artifact: Artifact | undefined,
  to: readonly Target[],
  targets: readonly Target[],
): readonly Check[] {
  return useQueries({
    queries: to.map((target) => ({
      queryKey: ['extensions', target.extensionId, 'check', artifact?.id, target.id],
      queryFn: ({ signal }) =>
        answer(
          api.POST('/api/v1/artifacts/check', {
            params: { query: { extension: target.extensionId, ...placeOf(target, targets) } },
            body: { manifest: manifestOf(artifact), size: artifact?.size ?? 0, sha256: artifact?.sha256 ?? '' },
            signal,
          }),
        ),
    })),
  }).map(({ data, error }) => ({
    // Others are about what only the package itself says, and were shown when it was pushed.
    warnings: data?.warnings.filter(({ kind }) => kind === 'wider_access').map(({ message }) => message) ?? [],
    problem: error === null ? (data === undefined ? undefined : null) : asProblem(error).body.detail,
  }));
}

/** Known parts of a package's manifest, as the check takes them. */
const manifestOf = (artifact: Artifact | undefined): Record<string, unknown> => {
  const { name, manifestVersion, permissions, hostPermissions, geckoId } = artifact?.manifest ?? {};
  return {
    name,
    version: artifact?.version,
    manifest_version: manifestVersion,
    permissions,
    host_permissions: hostPermissions,
    ...(geckoId == null ? {} : { browser_specific_settings: { gecko: { id: geckoId } } }),
  };
};

/** Pierhead's next step at each target if the artifact were pinned. */
const usePlan = (extension: string, artifact: Artifact | undefined): Read<Schemas['DryRun']> =>
  useRead({
    queryKey: ['extensions', extension, 'next-steps', artifact?.id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/extensions/{id}/next-steps', {
          params: { path: { id: extension }, query: { artifact: artifact?.id } },
          signal,
        }),
      ),
    enabled: artifact !== undefined,
  });

interface FollowsProps {
  readonly target: Target;
  readonly check: Check | undefined;
  readonly plan: Read<Schemas['DryRun']>;
}

function Follows({ target, check, plan: { data, problem } }: FollowsProps): ReactElement {
  if (check?.problem === undefined) return <>Checking…</>;
  if (check.problem !== null) return <>{check.problem}</>;
  const steps = data?.targets
    .filter(({ targetId }) => targetId === target.id)
    .map((one) => `${stepOf(one)} ${one.because}`);
  return <bdi>{[...check.warnings, ...(steps ?? [problem?.body.detail ?? 'Asking the store…'])].join(' ')}</bdi>;
}

interface PromotionResultProps extends Pick<ChoiceProps, 'onClose' | 'targets'> {
  readonly extensionId: string;
  readonly version: string;
  readonly pinned: readonly Pinned[];
  /** Why not all of them were. */
  readonly problem: ReturnType<typeof asProblem> | null;
}

/** Result of the promotion, the stores' next steps, and the way back. */
function PromotionResult({
  targets,
  extensionId,
  version,
  pinned,
  problem,
  onClose,
}: PromotionResultProps): ReactElement {
  const receivers = pinned.map((one) => one.target);
  const back = pinned.flatMap(({ target, before }) => (before?.sha256 == null ? [] : [{ target, before }]));
  const undo = useWrite<void, void>({
    write: async () => {
      for (const { target, before } of back) await pin(before.id, placeOf(target, targets));
    },
    changes: [['extensions', extensionId]],
    announcement: () =>
      `${namesOf(
        back.map((one) => one.target),
        targets,
      )} ${back.length === 1 ? 'goes' : 'go'} on with what was pinned before.`,
  });
  return (
    <Form
      onSubmit={() => undo.mutate(undefined, { onSuccess: onClose })}
      problem={undo.error ?? problem}
      submit={back.length === 0 ? null : 'Undo'}
      kind="plain"
      isBusy={undo.isPending}
      onCancel={onClose}
      cancel="Done"
    >
      <p>
        {version} is pinned for {namesOf(receivers, targets)}.
      </p>
      {receivers.map((target) => (
        <div key={target.id} className={css.next}>
          <strong>{targetName(target, targets)}</strong>
          <NextStep target={target} />
        </div>
      ))}
    </Form>
  );
}
