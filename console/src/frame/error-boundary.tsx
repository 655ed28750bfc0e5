import { Component, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { asProblem, PAGE_NOT_LOADED, useConnection, type Problem } from '../api';
import { PageHeader, ProblemNote } from '../ui';

interface Props {
  readonly children: ReactNode;
  /** Another page: what failed is forgotten. */
  readonly page: string;
}

/** Keeps a page that fails from taking the frame with it. */
export class PageBoundary extends Component<Props, { readonly failure: Problem | null }> {
  override state = { failure: null as Problem | null };

  static getDerivedStateFromError(thrown: unknown): { readonly failure: Problem } {
    return { failure: asProblem(thrown) };
  }

  override componentDidUpdate({ page }: Props): void {
    if (page !== this.props.page && this.state.failure !== null) this.setState({ failure: null });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : <Failed failure={failure} />;
  }
}

/** A reload also fetches the files of a service that was updated meanwhile. */
const reload = (): void => window.location.reload();

/** Note about an error. A page that could not be loaded is loaded once the service, or the network, can be reached again. */
function Failed({ failure }: { readonly failure: Problem }): ReactElement {
  const isOffline = useConnection() === 'offline';
  const [wasOffline, setWasOffline] = useState(isOffline);
  if (isOffline && !wasOffline) setWasOffline(true);
  const isUnloaded = failure.code === PAGE_NOT_LOADED.code;
  const isBack = isUnloaded && wasOffline && !isOffline;
  useEffect(() => {
    if (isBack) reload();
  }, [isBack]);
  useEffect(() => {
    if (!isUnloaded) return undefined;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isUnloaded]);
  return (
    <>
      <PageHeader title="This page cannot be shown" />
      <ProblemNote problem={failure} onRetry={reload} />
    </>
  );
}
