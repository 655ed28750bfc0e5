import { useState, type ReactElement, type ReactNode } from 'react';
import { answer, api, together, useRead, useStores } from '../../api';
import { useOverview, useSetup, type StepName } from '../../setup';
import { ButtonLink, PageHeader, ProblemNote, Skeleton, useFilters } from '../../ui';
import { Selling } from './selling-steps';
import { Step, Turn } from './step';
import { ConnectStep, ItemStep } from './store-steps';
import { ExtensionStep } from './extension-step';
import { TokenStep } from './token-step';
import css from './start.module.css';

/** The targets of the extension that the steps are about, as the form of its item needs them. */
const useTargets = (id: string | undefined) =>
  useRead({
    queryKey: ['extensions', id, 'targets', 'start'],
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/extensions/{id}/targets', { params: { path: { id: id ?? '' } }, signal })),
  });

/** The way to the first version that is live: five steps that can be left and taken up anywhere. */
export function StartPage(): ReactElement {
  const [token, setToken] = useState<string | null>(null);
  const [search] = useFilters();
  const overview = useOverview();
  const setup = useSetup(overview.items, { named: search.get('extension'), withKeys: true });
  const { credentials } = setup;
  const extensionId = setup.extension?.id;
  const targets = useTargets(extensionId);
  const descriptions = useStores();
  const { data: stores = [] } = descriptions;
  const reads = together(targets, descriptions);
  const problem = overview.problem ?? setup.problem ?? reads.problem;
  const retry = (): Promise<unknown> => Promise.all([reads.retry(), setup.retry(), overview.retry()]);
  const connected = stores.filter(({ id }) => credentials.some(({ store }) => store === id));
  const used = stores.filter(({ id }) => setup.stores.includes(id));
  const done = titlesOf(setup, connected, used);
  const open: Readonly<Record<StepName, { readonly title: string; readonly body: ReactNode }>> = {
    extension: { title: 'Register your extension', body: <ExtensionStep /> },
    key: { title: 'Give Pierhead a key for a store', body: <ConnectStep stores={stores} /> },
    item: {
      title: 'Choose its item at the store',
      body: <ItemStep stores={connected} targets={targets.data?.targets ?? []} credentials={credentials} />,
    },
    version: {
      title: 'Push a version',
      body: (
        <>
          <p>Upload the package that you would upload at the store. Pierhead submits it and follows the review.</p>
          <div>
            <ButtonLink href={`/extensions/${extensionId}/push`} kind="primary">
              Push a version
            </ButtonLink>
          </div>
        </>
      ),
    },
    token: { title: 'Let CI push', body: <TokenStep token={token} onToken={setToken} /> },
  };
  // A token is shown until the page is left.
  const steps = setup.steps.map((step) =>
    step.name === 'token' && token !== null ? { ...step, isDone: false } : step,
  );
  const next = steps.find(({ isDone }) => !isDone);
  const isLoading = setup.isLoading || targets.isLoading || descriptions.isLoading;
  if (isLoading && problem === null)
    return (
      <>
        <PageHeader title="Get started" />
        <Skeleton label="what is done" lines={6} />
      </>
    );
  return (
    <>
      <PageHeader title={next === undefined ? 'Everything is set up' : 'Get started'}>
        {next === undefined
          ? 'Every version that you push goes to all enabled stores.'
          : 'Leave whenever you want: what is done stays done.'}
      </PageHeader>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {!isLoading && (
        <ol className={css.steps}>
          {steps.map(({ name, needs, isDone }, index) => (
            <Step key={name} number={index + 1} title={isDone ? done[name] : open[name].title} isDone={isDone}>
              {name === next?.name && <Turn needs={needs}>{open[name].body}</Turn>}
            </Step>
          ))}
        </ol>
      )}
      <Selling extensionId={extensionId} />
    </>
  );
}

type Named = readonly { readonly title: string }[];

/** Text about each step once it is done. */
const titlesOf = (
  { extension, version }: Pick<ReturnType<typeof useSetup>, 'extension' | 'version'>,
  connected: Named,
  used: Named,
): Readonly<Record<StepName, string>> => ({
  extension: `Registered as ${extension?.name}`,
  key: `Has a key of ${connected.length === 0 ? 'a store' : namesOf(connected)}`,
  item: `Publishes to ${namesOf(used)}`,
  version: `Pushed ${version}`,
  token: 'Pushes from CI have a token',
});

const namesOf = (stores: Named): string => new Intl.ListFormat('en').format(stores.map(({ title }) => title));
