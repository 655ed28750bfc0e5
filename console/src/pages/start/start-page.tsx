import { useState, type ReactElement, type ReactNode } from 'react';
import { answer, api, together, useRead, useStores } from '../../api';
import { useSession, type Permission } from '../../session';
import { ButtonLink, CheckIcon, Hidden, PageHeader, ProblemNote, Skeleton } from '../../ui';
import { ConnectStep, ItemStep } from './store-steps';
import { ExtensionStep } from './extension-step';
import { TokenStep } from './token-step';
import css from './start.module.css';

/** What exists already, from which follows which steps are done; nothing of the checklist itself is stored. */
function useProgress() {
  const { can } = useSession();
  const extensions = useRead({
    queryKey: ['extensions', 'start'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/extensions', { params: { query: { limit: 1 } }, signal })),
  });
  const extension = extensions.data?.items[0];
  const targets = useRead({
    queryKey: ['extensions', extension?.id, 'targets', 'start'],
    enabled: extension !== undefined,
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/extensions/{id}/targets', { params: { path: { id: extension?.id ?? '' } }, signal })),
  });
  const versions = useRead({
    queryKey: ['extensions', extension?.id, 'releases', 'start'],
    enabled: extension !== undefined,
    queryFn: ({ signal }) => {
      const params = { path: { id: extension?.id ?? '' }, query: { limit: 1 } };
      return answer(api.GET('/api/v1/extensions/{id}/releases', { params, signal }));
    },
  });
  const credentials = useRead({
    queryKey: ['credentials', 'start'],
    enabled: can('credentials:read'),
    queryFn: ({ signal }) => answer(api.GET('/api/v1/credentials', { params: { query: { limit: 100 } }, signal })),
  });
  const tokens = useRead({
    queryKey: ['access-tokens', 'start'],
    enabled: can('tokens:read'),
    queryFn: ({ signal }) => answer(api.GET('/api/v1/access-tokens', { params: { query: { limit: 1 } }, signal })),
  });
  const stores = useStores();
  const reads = [extensions, targets, versions, credentials, tokens, stores];
  return {
    extension,
    targets: targets.data?.targets ?? [],
    version: versions.data?.items[0]?.version,
    credentials: credentials.data?.items ?? [],
    hasToken: (tokens.data?.items.length ?? 0) > 0,
    stores: stores.data ?? [],
    isLoading: reads.some(({ isLoading }) => isLoading),
    ...together(...reads),
  };
}

/** The way to the first version that is live: five steps that can be left and taken up anywhere. */
export function StartPage(): ReactElement {
  const { can } = useSession();
  const progress = useProgress();
  const [token, setToken] = useState<string | null>(null);
  const { extension, targets, version, credentials, hasToken, stores } = progress;
  const connected = stores.filter(({ id }) => credentials.some(({ store }) => store === id));
  const enabled = targets.filter(({ enabled: isOn }) => isOn);
  const steps: readonly (StepProps & { readonly needs: Permission })[] = [
    {
      title: extension === undefined ? 'Register your extension' : `Registered as ${extension.name}`,
      isDone: extension !== undefined,
      needs: 'extensions:write',
      children: <ExtensionStep />,
    },
    {
      title: connected.length === 0 ? 'Give Pierhead a key for a store' : `Has a key of ${namesOf(connected)}`,
      isDone: connected.length > 0,
      needs: 'credentials:write',
      children: <ConnectStep stores={stores} />,
    },
    {
      title:
        enabled.length === 0
          ? 'Choose its item at the store'
          : `Publishes to ${namesOf(stores.filter(({ id }) => enabled.some(({ store }) => store === id)))}`,
      isDone: enabled.length > 0,
      needs: 'extensions:write',
      children: <ItemStep stores={connected} targets={targets} credentials={credentials} />,
    },
    {
      title: version === undefined ? 'Push a version' : `Pushed ${version}`,
      isDone: version !== undefined,
      needs: 'artifacts:write',
      children: extension !== undefined && (
        <>
          <p>Upload the package that you would upload at the store. Pierhead submits it and follows the review.</p>
          <div>
            <ButtonLink href={`/extensions/${extension.id}/push`} kind="primary">
              Push a version
            </ButtonLink>
          </div>
        </>
      ),
    },
    {
      title: hasToken && token === null ? 'Pushes from CI have a token' : 'Let CI push',
      isDone: hasToken && token === null,
      needs: 'tokens:write',
      children: <TokenStep token={token} onToken={setToken} />,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  if (progress.isLoading)
    return (
      <>
        <PageHeader title="Get started" />
        <Skeleton label="what is done" lines={6} />
      </>
    );
  return (
    <>
      <PageHeader title={next === -1 ? 'Everything is set up' : 'Get started'}>
        {next === -1
          ? 'Every version that you push goes to all enabled stores.'
          : 'Leave whenever you want: what is done stays done.'}
      </PageHeader>
      {progress.problem !== null && <ProblemNote problem={progress.problem} onRetry={progress.retry} />}
      <ol className={css.steps}>
        {steps.map(({ needs, children, ...step }, index) => (
          <Step key={needs + String(index)} number={index + 1} {...step}>
            {index === next &&
              (can(needs) ? children : <p>Your role does not include this. Ask an owner or admin of the tenant.</p>)}
          </Step>
        ))}
      </ol>
    </>
  );
}

const namesOf = (stores: readonly { readonly title: string }[]): string =>
  new Intl.ListFormat('en').format(stores.map(({ title }) => title));

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, isDone, children }: StepProps & { readonly number: number }): ReactElement {
  return (
    <li className={css.step}>
      <span className={css.mark} data-done={isDone}>
        {isDone ? <CheckIcon /> : number}
      </span>
      <h2>
        {title}
        {isDone && <Hidden>, done</Hidden>}
      </h2>
      {children !== false && <div className={css.body}>{children}</div>}
    </li>
  );
}
