import { useEffect, useRef, useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, ButtonLink, copyText, Dialog, Form, OutLink, STORES, TextArea, Time, Words } from '../../ui';
import { ChangesSince } from './changes';
import { pin, useTargets, type Release, type Target } from './data';
import { placeOf } from './places';
import { ActDialog } from './target-actions';
import css from './extension.module.css';

interface RejectionProps {
  readonly release: Release;
  readonly rejection: NonNullable<Release['rejection']>;
  readonly target: Target;
  /** The target, in sentences. */
  readonly name: string;
  /** As the store shows it. */
  readonly version: string;
}

/** Reason of a store's rejection, and the ways on. Links lead here by `#rejected`. */
export function RejectionSheet(props: RejectionProps): ReactElement {
  const { release, rejection, target, name } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (window.location.hash !== '#rejected') return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, []);
  const { live } = rejection;
  return (
    <>
      <h3 id="rejected" tabIndex={-1} ref={heading}>
        What {STORES[target.store]} says
      </h3>
      {release.refusal !== null && (
        <p>
          <Words text={release.refusal} />
        </p>
      )}
      <p className={css.lead}>
        <OutLink href={target.dashboard}>Open it in the dashboard of {STORES[target.store]}</OutLink>
      </p>
      {release.state === 'rejected' && <Reason {...props} />}
      <h3>{live === null ? 'What changed' : `What changed since ${live.version}, which is live`}</h3>
      {live === null ? (
        <p>Nothing is live at {name} whose package was pushed to Pierhead, so there is nothing to compare with.</p>
      ) : (
        <ChangesSince extensionId={target.extensionId} artifactId={release.artifactId} since={live} />
      )}
      <WaysOn {...props} />
    </>
  );
}

const REASONS = '/api/v1/extensions/{id}/targets/{targetId}/rejection';

/** A person's note about a rejection, and the field for it. */
function Reason({ release, rejection: { reason }, target, version, name }: RejectionProps): ReactElement {
  const mayWrite = useSession().can('extensions:write');
  const [text, setText] = useState<string | null>(null);
  const { platform } = release;
  const record = useWrite<string, Schemas['RejectionReason']>({
    write: (said) =>
      answer(
        api.POST(REASONS, {
          params: { path: { id: target.extensionId, targetId: target.id } },
          body: { version, reason: said, ...(platform === null ? {} : { platform }) },
        }),
      ),
    changes: [['extensions', target.extensionId]],
    announcement: () => `Saved why ${name} rejected ${version}.`,
  });
  const close = (): void => {
    setText(null);
    record.reset();
  };
  const store = STORES[target.store];
  if (mayWrite && (reason === null || text !== null))
    return (
      <Form
        label={`Why ${version} was rejected`}
        onSubmit={() => record.mutate(text ?? '', { onSuccess: close })}
        problem={record.error}
        submit="Save"
        kind="plain"
        isBusy={record.isPending}
        isDisabled={(text ?? '').trim() === ''}
        onCancel={reason === null ? undefined : close}
      >
        <TextArea
          label="What its mail or dashboard says"
          hint={
            release.refusal === null
              ? `The API of ${store} gives no reason. Paste it here for your colleagues; the timeline keeps it.`
              : 'Paste it here for your colleagues; the timeline keeps it.'
          }
          rows={5}
          value={text ?? ''}
          onValue={setText}
          fault={record.error?.fault('reason')}
        />
      </Form>
    );
  if (reason === null) return <p>The API of {store} gives no reason, and nobody has recorded what its mail says.</p>;
  return (
    <>
      <blockquote className={css.quote}>
        <Words text={reason.text} />
      </blockquote>
      <p className={css.heading}>
        <small>
          Recorded
          {reason.recordedBy !== null && (
            <>
              {' by '}
              <bdi>{reason.recordedBy}</bdi>
            </>
          )}
          , <Time at={reason.recordedAt} />
        </small>
        <span className={css.buttons}>
          <Button onClick={() => copyText('reason', reason.text)}>Copy</Button>
          {mayWrite && <Button onClick={() => setText(reason.text)}>Edit</Button>}
        </span>
      </p>
    </>
  );
}

/** Possible actions. */
function WaysOn({
  rejection: { waysOn, numberFree, live },
  target,
  name,
  version,
}: RejectionProps): ReactElement | null {
  const { can } = useSession();
  const [opened, setOpened] = useState<'resubmit' | 'take_back' | null>(null);
  const close = (): void => setOpened(null);
  const ways = waysOn.filter((way) => can(way === 'resubmit' ? 'extensions:write' : 'artifacts:write'));
  if (waysOn.length === 0) return <p>Another version is pinned for {name} by now.</p>;
  if (ways.length === 0) return null;
  return (
    <>
      <h3>Ways on</h3>
      {ways.includes('push') && numberFree && (
        <p className={css.lead}>A mended package may keep the number {version}.</p>
      )}
      <p className={css.buttons}>
        {ways.includes('push') && (
          <ButtonLink href={`/extensions/${target.extensionId}/push`}>
            {numberFree ? 'Push a mended package' : 'Push a new version'}
          </ButtonLink>
        )}
        {ways.includes('resubmit') && <Button onClick={() => setOpened('resubmit')}>Submit it again</Button>}
        {ways.includes('take_back') && <Button onClick={() => setOpened('take_back')}>Take it back</Button>}
      </p>
      {opened === 'resubmit' && <ActDialog action="resubmit" target={target} name={name} onClose={close} />}
      {opened === 'take_back' && live !== null && (
        <TakeBack target={target} name={name} version={version} live={live} onClose={close} />
      )}
    </>
  );
}

interface TakeBackProps extends Pick<RejectionProps, 'target' | 'name' | 'version'> {
  readonly live: Schemas['ComparedVersion'];
  readonly onClose: () => void;
}

function TakeBack({ target, name, version, live, onClose }: TakeBackProps): ReactElement {
  const { data: targets = [target] } = useTargets(target.extensionId);
  const takeBack = useWrite<void, unknown>({
    write: () => pin(live.artifactId, placeOf(target, targets)),
    changes: [['extensions', target.extensionId]],
    announcement: () => `${name} stays at ${live.version}.`,
  });
  return (
    <Dialog
      title={`Take ${version} back: ${name}`}
      description={`${live.version}, which is live, is pinned again for ${STORES[target.store]}, and users keep it. Nothing is sent; push ${version} again to return to it.`}
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => takeBack.mutate(undefined, { onSuccess: onClose })}
        problem={takeBack.error}
        submit={`Stay at ${live.version}`}
        isBusy={takeBack.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}
