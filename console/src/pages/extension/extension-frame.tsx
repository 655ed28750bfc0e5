import type { ReactElement, ReactNode } from 'react';
import { useSession } from '../../session';
import { ButtonLink, counted, ExtensionIcon, PageHeader, ProblemNote, Skeleton, Tabs } from '../../ui';
import { together, type Read } from '../../api';
import { useExtension, useTargets, useWatching, type Target } from './data';
import { outlookOf } from './outlook';

interface ExtensionFrameProps {
  readonly id: string;
  readonly children: ReactNode;
  /** Other reads of the part; the frame shows when one fails. */
  readonly reads?: readonly Read<unknown>[];
}

/** Users as far as stores count them, and what happens next. */
function summaryOf(targets: readonly Target[]): string {
  const known = targets.flatMap(({ enabled, users }) => (enabled && users !== null ? [users] : []));
  const users = known.reduce((sum, one) => sum + one, 0);
  return `${known.length === 0 ? '' : `${counted(users, 'user')}. `}${outlookOf(targets)}`;
}

/** Frame around the parts of an extension's page. */
export function ExtensionFrame({ id, children, reads = [] }: ExtensionFrameProps): ReactElement {
  const extension = useExtension(id);
  const { data: targets } = useTargets(id);
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
        icon={<ExtensionIcon id={id} size="large" />}
        actions={
          can('artifacts:write') && (
            <ButtonLink kind="primary" href={`/extensions/${id}/push`}>
              Push a version
            </ButtonLink>
          )
        }
      >
        {/* The line is there before its words, so that nothing below it moves. */}
        {targets === undefined ? '\u00A0' : summaryOf(targets)}
      </PageHeader>
      <Tabs
        label="Extension"
        tabs={[
          { href: `/extensions/${id}`, label: 'Versions' },
          { href: `/extensions/${id}/timeline`, label: 'Timeline' },
          { href: `/extensions/${id}/settings`, label: 'Settings' },
        ]}
      />
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      {children}
    </>
  );
}
