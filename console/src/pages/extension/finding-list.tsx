import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { answer, api, useRead, useWrite, type Read, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Caution, Dialog, Form, OutLink, Status, STORES, Time, Words, type State } from '../../ui';
import type { Artifact, Target } from './data';
import { byStore, concerning, heldAt, isNewestFor } from './findings';
import css from './extension.module.css';

export type Finding = Schemas['PushedFinding'];

const SEVERITIES = {
  refused: { word: 'Refused', state: 'rejected' },
  warning: { word: 'Warning', state: 'needs_you' },
  note: { word: 'Note', state: 'off' },
} as const satisfies Record<Finding['severity'], { readonly word: string; readonly state: State }>;

interface FindingListProps {
  readonly findings: readonly Finding[];
  /** Possible actions on a finding. */
  readonly action?: (finding: Finding) => ReactNode;
}

/** Findings in a package, store by store. */
export function FindingList({ findings, action }: FindingListProps): ReactElement {
  return (
    <>
      {byStore(findings).map(([store, own]) => (
        <section key={store} aria-label={`Findings of ${STORES[store]}`}>
          <h3>{STORES[store]}</h3>
          <ul className={css.findings}>
            {own.map((finding) => (
              <li key={finding.id}>
                <Status state={finding.acceptedAt === null ? SEVERITIES[finding.severity].state : 'off'}>
                  {SEVERITIES[finding.severity].word}
                </Status>
                <div>
                  <Words text={finding.message} />
                  <small>
                    {finding.file !== null && <code>{finding.file}</code>}
                    {finding.path !== null && <code>{finding.path}</code>}
                    <OutLink href={finding.source}>Source</OutLink>
                  </small>
                  <Outcome finding={finding} />
                  {action?.(finding)}
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Decisions of people and of the store about a finding. */
function Outcome({ finding: { overriddenAt, overriddenBy, acceptedAt } }: { readonly finding: Finding }): ReactElement {
  return (
    <>
      {overriddenAt !== null && (
        <small>
          <span>
            Overridden{overriddenBy !== null && ' by '}
            <bdi>{overriddenBy}</bdi>, <Time at={overriddenAt} />
          </span>
        </small>
      )}
      {acceptedAt !== null && (
        <small>
          <span>
            Accepted by the store, <Time at={acceptedAt} />
          </span>
        </small>
      )}
    </>
  );
}

/** The findings of packages of an extension, in the order of the packages. */
export const useFindings = (
  extensionId: string,
  artifacts: readonly Artifact[],
): Read<readonly { readonly artifact: Artifact; readonly findings: readonly Finding[] }[]> =>
  useRead({
    queryKey: ['extensions', extensionId, 'findings', ...artifacts.map(({ id }) => id)],
    queryFn: ({ signal }) =>
      Promise.all(
        artifacts.map(async (artifact) => {
          const read = api.GET('/api/v1/artifacts/{id}/findings', { params: { path: { id: artifact.id } }, signal });
          return { artifact, findings: (await answer(read)).items };
        }),
      ),
  });

interface FindingsProps {
  readonly found: readonly { readonly artifact: Artifact; readonly findings: readonly Finding[] }[];
  readonly targets: readonly Target[];
  readonly artifacts: readonly Artifact[];
}

/** The findings of a version, each with the way to send it all the same. Links lead here by `#findings`. */
export function Findings({ found, targets, artifacts }: FindingsProps): ReactElement | null {
  const mayPush = useSession().can('artifacts:write');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (window.location.hash !== '#findings') return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, []);
  const shown = found
    .map(({ artifact, findings }) => ({ artifact, findings: concerning(findings, artifact, targets) }))
    .filter(({ findings }) => findings.length > 0);
  if (shown.length === 0) return null;
  return (
    <section className={css.section} aria-labelledby="findings">
      <h2 id="findings" tabIndex={-1} ref={heading}>
        What the stores do not accept
      </h2>
      {shown.map(({ artifact, findings }) => (
        <FindingList
          key={artifact.id}
          findings={findings}
          action={(finding) =>
            mayPush &&
            isNewestFor(finding.store, artifact, artifacts) &&
            heldAt([finding], targets).some(({ status }) => status.liveVersion !== artifact.version) && (
              <SendAllTheSame
                artifact={artifact}
                finding={finding}
                others={findings.filter(({ holds, store }) => holds && store === finding.store).length - 1}
              />
            )
          }
        />
      ))}
    </section>
  );
}

interface SendAllTheSameProps {
  readonly artifact: Artifact;
  readonly finding: Finding;
  /** How many findings beside it hold the version for the store. */
  readonly others: number;
}

function SendAllTheSame({
  artifact: { id, extensionId, version },
  finding,
  others,
}: SendAllTheSameProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const store = STORES[finding.store];
  const override = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/artifacts/{id}/findings/{findingId}/override', {
          params: { path: { id, findingId: finding.id } },
        }),
      ),
    changes: [['extensions', extensionId]],
    announcement: () => `Overrode a finding of ${store}.`,
  });
  const close = (): void => {
    setOpen(false);
    override.reset();
  };
  return (
    <>
      <p>
        <Button onClick={() => setOpen(true)}>Send it all the same</Button>
      </p>
      <Dialog
        title={`Send ${version} all the same: ${store}`}
        isOpen={isOpen}
        onClose={close}
        description={
          <>
            <p>
              {version} is sent to {store} although its package has what the store refuses:
            </p>
            <Caution>
              <Words text={finding.message} />
            </Caution>
            <p>
              {others > 0 &&
                `It is held until its ${others === 1 ? 'other finding is' : `${others} other findings are`} overridden too. `}
              A refused upload may use up the number {version}. The audit log keeps your decision.
            </p>
          </>
        }
      >
        <Form
          onSubmit={() => override.mutate(undefined, { onSuccess: close })}
          problem={override.error}
          submit="Send it all the same"
          isBusy={override.isPending}
          onCancel={close}
        />
      </Dialog>
    </>
  );
}
