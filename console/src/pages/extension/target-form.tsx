import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, useChoices, type Problem } from '../../api';
import { useSession } from '../../session';
import { CredentialHealth } from '../../stores';
import { Checkbox, Field, percentIn, platformName, Select, TextArea } from '../../ui';
import type { StoreDescription, Target } from './data';
import { idsIn, SETTINGS, type Settings } from './target-edit';

interface TargetFieldsProps {
  /** As it would be saved. */
  readonly target: Target;
  readonly store: StoreDescription;
  readonly stores: readonly StoreDescription[];
  readonly isReadOnly: boolean;
  /** The live version is offered to a share of the users. */
  readonly isRollingOut: boolean;
  readonly problem: Problem | null;
  readonly onChange: (change: Settings) => void;
}

/** The settings that the target's store supports. */
export function TargetFields(props: TargetFieldsProps): ReactElement {
  const { target, store, isReadOnly, problem, onChange } = props;
  return (
    <>
      <Checkbox
        label={SETTINGS.enabled}
        hint="Each pushed version then goes to the store automatically."
        checked={target.enabled}
        onChecked={(enabled) => onChange({ enabled })}
        disabled={isReadOnly}
      />
      <Item {...props} />
      <CredentialChoice {...props} />
      <Publishing {...props} />
      <Notes target={target} store={store} isReadOnly={isReadOnly} problem={problem} onChange={onChange} />
    </>
  );
}

/** The store's item of the target: by its address, or by its ids. */
function Item({ target, store, stores, isReadOnly, problem, onChange }: TargetFieldsProps): ReactElement {
  const [url, setUrl] = useState('');
  const understood = url.trim() === '' ? null : idsIn(url, stores, target.store);
  const paste = (value: string): void => {
    setUrl(value);
    const found = idsIn(value, stores, target.store);
    if ('ids' in found) onChange(found.ids);
  };
  return (
    <>
      {!isReadOnly && (
        <Field
          label={`Address of the item at ${store.title}`}
          hint={
            understood !== null && 'ids' in understood
              ? 'Recognized: the ids below are filled in.'
              : 'Paste the address of the listing or the dashboard.'
          }
          type="url"
          value={url}
          onValue={paste}
          fault={understood !== null && 'fault' in understood ? understood.fault : undefined}
        />
      )}
      {store.item.fields.map(({ name, title, how, isRequired }) => (
        <Field
          key={name}
          label={isRequired ? title : `${title} (optional)`}
          hint={how}
          value={target[name] ?? ''}
          onValue={(value) => onChange({ [name]: value.trim() === '' ? null : value.trim() })}
          fault={problem?.fault(name)}
          disabled={isReadOnly}
          spellCheck={false}
        />
      ))}
    </>
  );
}

/** The credential that signs in at the store, its state, and its expiry. */
function CredentialChoice({ target, store, isReadOnly, problem, onChange }: TargetFieldsProps): ReactElement | null {
  const { can } = useSession();
  const mayRead = can('credentials:read');
  const { data } = useChoices(
    'credentials',
    (query, signal) => answer(api.GET('/api/v1/credentials', { params: { query }, signal })),
    { enabled: mayRead },
  );
  if (!mayRead || data === undefined) return null;
  const own = data.filter((one) => one.store === target.store);
  const chosen = own.find((one) => one.id === target.credentialId);
  return (
    <div>
      <Select
        label={SETTINGS.credentialId}
        hint={
          own.length === 0 ? (
            <>
              No credential of {store.title} is saved yet. <Link href="/settings/credentials">Add one</Link>
            </>
          ) : undefined
        }
        value={target.credentialId ?? 'none'}
        onValue={(value) => onChange({ credentialId: value === 'none' ? null : value })}
        options={[
          { value: 'none', label: 'None' },
          ...own.map(({ id, label, lastFour }) => ({ value: id, label: label ?? `${store.title} …${lastFour}` })),
        ]}
        fault={problem?.fault('credentialId')}
        disabled={isReadOnly}
      />
      {chosen !== undefined && <CredentialHealth health={chosen.health} />}
    </div>
  );
}

type PartProps = Pick<TargetFieldsProps, 'target' | 'store' | 'isReadOnly' | 'problem' | 'onChange'>;
type RolloutProps = Omit<PartProps, 'store'> & Pick<TargetFieldsProps, 'isRollingOut'>;

/** Options of publishing, as far as the store offers a choice. */
function Publishing({
  target,
  store: { capabilities: can },
  isReadOnly,
  isRollingOut,
  problem,
  onChange,
}: TargetFieldsProps): ReactElement {
  return (
    <>
      {can.platforms.length > 1 && (
        <fieldset disabled={isReadOnly}>
          <legend>{SETTINGS.platforms}</legend>
          {can.platforms.map((platform) => (
            <Checkbox
              key={platform}
              label={platformName(platform)}
              checked={target.platforms.includes(platform)}
              onChecked={(isOn) =>
                onChange({
                  platforms: can.platforms.filter((one) => (one === platform ? isOn : target.platforms.includes(one))),
                })
              }
              disabled={isReadOnly}
            />
          ))}
        </fieldset>
      )}
      {can.channels.length > 1 && (
        <Select
          label={SETTINGS.channel}
          value={target.channel}
          onValue={(channel) => onChange({ channel })}
          options={can.channels.map((channel) => ({ value: channel, label: channel }))}
          fault={problem?.fault('channel')}
          disabled={isReadOnly}
        />
      )}
      {(can.canCancel || can.supersedesPending) && (
        <Select
          label={SETTINGS.onPending}
          value={target.onPending}
          onValue={(onPending) => onChange({ onPending })}
          options={[
            { value: 'wait', label: 'Wait for it' },
            { value: 'replace', label: 'Replace it' },
          ]}
          disabled={isReadOnly}
        />
      )}
      {can.requiresArtifact && (
        <Select
          label={SETTINGS.preflight}
          hint="A refused package may use up its version number."
          value={target.preflight}
          onValue={(preflight) => onChange({ preflight })}
          options={[
            { value: 'hold', label: 'Wait until somebody mends it or sends it all the same' },
            { value: 'off', label: 'Send it all the same' },
          ]}
          disabled={isReadOnly}
        />
      )}
      {can.stagedRelease && (
        <Select
          label={SETTINGS.release}
          value={target.release}
          onValue={(release) => onChange({ release })}
          options={[
            { value: 'auto', label: 'Publish at once' },
            { value: 'manual', label: 'Wait until somebody publishes it' },
          ]}
          disabled={isReadOnly}
        />
      )}
      {can.percentRollout && (
        <Rollout
          target={target}
          isRollingOut={isRollingOut}
          isReadOnly={isReadOnly}
          problem={problem}
          onChange={onChange}
        />
      )}
    </>
  );
}

/** Whether new versions go to everyone, or to which share of the users. While a share has one, everyone gets it by another action. */
function Rollout({
  target: { rolloutPercent },
  isRollingOut,
  isReadOnly,
  problem,
  onChange,
}: RolloutProps): ReactElement {
  const [typed, setTyped] = useState('');
  // Typed text stays as it is until the setting changes.
  const text = percentIn(typed) === rolloutPercent ? typed : String(rolloutPercent);
  const isUnread = rolloutPercent !== null && (rolloutPercent < 1 || rolloutPercent > 100);
  const choose = (value: string): void => {
    setTyped(value);
    onChange({ rolloutPercent: percentIn(value) });
  };
  return (
    <>
      <Checkbox
        label="Offer new versions to everyone at once"
        hint={
          isRollingOut
            ? 'A share of the users has the live version. “Widen the rollout” offers it to everyone.'
            : undefined
        }
        checked={rolloutPercent === null}
        onChecked={(isForAll) => (isForAll ? onChange({ rolloutPercent: null }) : choose(''))}
        disabled={isReadOnly || isRollingOut}
      />
      {rolloutPercent !== null && (
        <Field
          label={SETTINGS.rolloutPercent}
          inputMode="numeric"
          value={text}
          onValue={choose}
          fault={isUnread ? 'must be a whole number from 1 to 100.' : problem?.fault('rolloutPercent')}
          disabled={isReadOnly}
        />
      )}
    </>
  );
}

const textOrNull = (value: string): string | null => (value === '' ? null : value);

/** Release notes, and notes for the reviewers. */
function Notes({ target, store: { capabilities: can }, isReadOnly, problem, onChange }: PartProps): ReactElement {
  return (
    <>
      {can.releaseNotes && (
        <TextArea
          label={SETTINGS.releaseNotes}
          hint="For versions that are pushed without their own."
          value={target.releaseNotes ?? ''}
          onValue={(value) => onChange({ releaseNotes: textOrNull(value) })}
          fault={problem?.fault('releaseNotes')}
          disabled={isReadOnly}
        />
      )}
      {can.reviewerNotes && (
        <TextArea
          label={SETTINGS.reviewerNotes}
          hint="Such as how to try the extension. For versions that are pushed without their own."
          value={target.reviewerNotes ?? ''}
          onValue={(value) => onChange({ reviewerNotes: textOrNull(value) })}
          fault={problem?.fault('reviewerNotes')}
          disabled={isReadOnly}
        />
      )}
      {can.skipReview && (
        <Checkbox
          label={SETTINGS.skipReview}
          hint="Versions that qualify are published without a review."
          checked={target.skipReview}
          onChecked={(skipReview) => onChange({ skipReview })}
          disabled={isReadOnly}
        />
      )}
      {can.exportCompliance && (
        <Select
          label={SETTINGS.encryption}
          hint="Your answer to Apple’s question about export compliance. It is a legal statement."
          value={target.encryption}
          onValue={(encryption) => onChange({ encryption })}
          options={[
            { value: 'exempt', label: 'None, or only what is exempt' },
            { value: 'nonExempt', label: 'Encryption that is not exempt' },
          ]}
          disabled={isReadOnly}
        />
      )}
    </>
  );
}
