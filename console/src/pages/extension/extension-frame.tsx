import type { ReactElement, ReactNode } from 'react';
import { useSession } from '../../session';
import { ButtonLink, PageHeader, ProblemNote, Skeleton, Tabs } from '../../ui';
import { together, type Read } from '../../api';
import { useExtension, useWatching } from './data';
import { ExtensionActions } from './extension-actions';

interface ExtensionFrameProps {
  readonly id: string;
  readonly children: ReactNode;
  /** Other reads of the part; the frame shows when one fails. */
  readonly reads?: readonly Read<unknown>[];
}

/** Frame around the parts of an extension's page. */
export function ExtensionFrame({ id, children, reads = [] }: ExtensionFrameProps): ReactElement {
  const extension = useExtension(id);
  useWatching(id);
  const { data } = extension;
  const { problem, retry } = together(extension, ...reads);
  const { can } = useSession();
  if (data === undefined)
    return (
      <>
        <PageHeader title="Extension" />
        {problem === null ? (
          <Skeleton label="extension" lines={6} />
        ) : (
          <ProblemNote problem={problem} onRetry={retry} />
        )}
      </>
    );
  return (
    <>
      <PageHeader
        title={data.name}
        actions={
          <>
            {can('artifacts:write') && (
              <ButtonLink kind="primary" href={`/extensions/${id}/push`}>
                Push a version
              </ButtonLink>
            )}
            {can('extensions:write') && <ExtensionActions extension={data} />}
          </>
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
