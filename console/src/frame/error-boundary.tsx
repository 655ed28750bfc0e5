import { Component, type ReactNode } from 'react';
import { asProblem, Problem } from '../api';
import { ProblemNote } from '../ui';

interface Props {
  readonly children: ReactNode;
  /** Another page: what failed is forgotten. */
  readonly page: string;
}

/** Keeps a page that fails from taking the frame with it. */
export class PageBoundary extends Component<Props, { readonly failure: Problem | null }> {
  override state = { failure: null as Problem | null };

  static getDerivedStateFromError(thrown: unknown): { readonly failure: Problem } {
    return { failure: failureOf(thrown) };
  }

  override componentDidUpdate({ page }: Props): void {
    if (page !== this.props.page && this.state.failure !== null) this.setState({ failure: null });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    // A reload also fetches the files of a service that was updated meanwhile.
    return failure === null ? (
      this.props.children
    ) : (
      <ProblemNote problem={failure} onRetry={() => window.location.reload()} />
    );
  }
}

function failureOf(thrown: unknown): Problem {
  const isOld = thrown instanceof TypeError && /dynamically imported module|importing a module/i.test(thrown.message);
  if (!isOld) return asProblem(thrown);
  const detail = 'This page could not be loaded: the service was updated, or the connection failed.';
  return new Problem({ code: 'page_not_loaded', title: 'Page not loaded', detail, status: 0 });
}
