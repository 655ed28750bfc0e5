import type { ReactElement, ReactNode } from 'react';
import { useSession } from '../../session';
import { ButtonLink, PageHeader, ProblemNote, Skeleton, Tabs } from '../../ui';
import { useExtension } from './data';

interface ExtensionFrameProps {
  readonly id: string;
  readonly children: ReactNode;
}

/** What the parts of an extension's page have in common. */
export function ExtensionFrame({ id, children }: ExtensionFrameProps): ReactElement {
  const { data, problem, retry } = useExtension(id);
  const { can } = useSession();
  if (data === undefined)
    return problem === null ? (
      <Skeleton label="extension" lines={6} />
    ) : (
      <>
        <PageHeader title="Extension" />
        <ProblemNote problem={problem} onRetry={retry} />
      </>
    );
  return (
    <>
      <PageHeader
        title={data.name}
        actions={
          can('artifacts:write') && (
            <ButtonLink kind="primary" href={`/extensions/${id}/push`}>
              Push a version
            </ButtonLink>
          )
        }
      />
      <Tabs
        label="Extension"
        tabs={[
          { href: `/extensions/${id}`, label: 'Versions' },
          { href: `/extensions/${id}/timeline`, label: 'Timeline' },
        ]}
      />
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {children}
    </>
  );
}
