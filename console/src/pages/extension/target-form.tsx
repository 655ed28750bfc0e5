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

type Setting = (props: TargetFieldsProps) => ReactElement | null;
type Capabilities = StoreDescription['capabilities'];

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

/** A choice between the values of a setting. */
const choice = <Name extends 'onPending' | 'preflight' | 'release' | 'encryption'>(
  name: Name,
  isOffered: (can: Capabilities) => boolean,
  labels: Readonly<Record<NonNullable<Settings[Name]>, string>>,
  hint?: string,
): Setting =>
  function Choice({ target, store, isReadOnly, problem, onChange }) {
    if (!isOffered(store.capabilities)) return null;
    return (
      <Select
        label={SETTINGS[name]}
        hint={hint}
        value={target[name]}
        onValue={(value) => onChange({ [name]: value })}
        options={Object.entries<string>(labels).map(([value, label]) => ({ value, label }))}
        fault={problem?.fault(name)}
        disabled={isReadOnly}
      />
    );
  };

/** Notes of any length, where the store takes them. */
const notes = (name: 'releaseNotes' | 'reviewerNotes', hint: string): Setting =>
  function Notes({ target, store, isReadOnly, problem, onChange }) {
    if (!store.capabilities[name]) return null;
    return (
      <TextArea
        label={SETTINGS[name]}
        hint={hint}
        value={target[name] ?? ''}
        onValue={(value) => onChange({ [name]: value === '' ? null : value })}
        fault={problem?.fault(name)}
        disabled={isReadOnly}
      />
    );
  };

/** A setting of one line, and its value where the line is emptied. */
const line = (
  name: 'xcodeCloudWorkflow' | 'xcodeCloudTag' | 'storefront',
  isOffered: (can: Capabilities) => boolean,
  emptied: string | null,
  hint: string,
): Setting =>
  function Line({ target, store, isReadOnly, problem, onChange }) {
    if (!isOffered(store.capabilities)) return null;
    return (
      <Field
        label={SETTINGS[name]}
        hint={hint}
        value={target[name] ?? ''}
        onValue={(value) => onChange({ [name]: value.trim() === '' ? emptied : value.trim() })}
        fault={problem?.fault(name)}
        disabled={isReadOnly}
        spellCheck={false}
      />
    );
  };

/** A setting that is on or off. */
const toggle = (
  name: 'enabled' | 'watched' | 'fileWatched' | 'signedUploads' | 'skipReview',
  isOffered: (can: Capabilities) => boolean,
  hint: string,
): Setting =>
  function Toggle({ target, store, isReadOnly, onChange }) {
    if (!isOffered(store.capabilities)) return null;
    return (
      <Checkbox
        label={SETTINGS[name]}
        hint={hint}
        checked={target[name]}
        onChecked={(isOn) => onChange({ [name]: isOn })}
        disabled={isReadOnly}
      />
    );
  };

function Platforms({ target, store, isReadOnly, onChange }: TargetFieldsProps): ReactElement | null {
  const { platforms } = store.capabilities;
  if (platforms.length < 2) return null;
  return (
    <fieldset disabled={isReadOnly}>
      <legend>{SETTINGS.platforms}</legend>
      {platforms.map((platform) => (
        <Checkbox
          key={platform}
          label={platformName(platform)}
          checked={target.platforms.includes(platform)}
          onChecked={(isOn) =>
            onChange({
              platforms: platforms.filter((one) => (one === platform ? isOn : target.platforms.includes(one))),
            })
          }
          disabled={isReadOnly}
        />
      ))}
    </fieldset>
  );
}

function Channel({ target, store, isReadOnly, problem, onChange }: TargetFieldsProps): ReactElement | null {
  const { channels } = store.capabilities;
  if (channels.length < 2) return null;
  return (
    <Select
      label={SETTINGS.channel}
      value={target.channel}
      onValue={(channel) => onChange({ channel })}
      options={channels.map((channel) => ({ value: channel, label: channel }))}
      fault={problem?.fault('channel')}
      disabled={isReadOnly}
    />
  );
}

/** Whether new versions go to everyone, or to which share of the users. While a share has one, everyone gets it by another action. */
function Rollout({
  target: { rolloutPercent },
  store,
  isRollingOut,
  isReadOnly,
  problem,
  onChange,
}: TargetFieldsProps): ReactElement | null {
  const [typed, setTyped] = useState('');
  // Typed text stays as it is until the setting changes.
  const text = percentIn(typed) === rolloutPercent ? typed : String(rolloutPercent);
  if (!store.capabilities.percentRollout) return null;
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
          isRollingOut ? 'A share of the users has the live version. The steps above offer it to everyone.' : undefined
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

/** The field of each setting, in the order of the form. */
const FIELDS: Readonly<Record<keyof Settings, Setting>> = {
  enabled: toggle('enabled', () => true, 'Each pushed version then goes to the store automatically.'),
  storeItemId: Item,
  // Among the ids of the item.
  crxId: () => null,
  credentialId: CredentialChoice,
  platforms: Platforms,
  channel: Channel,
  onPending: choice('onPending', (can) => can.canCancel || can.supersedesPending, {
    wait: 'Wait for it',
    replace: 'Replace it',
  }),
  preflight: choice(
    'preflight',
    (can) => can.requiresArtifact,
    { hold: 'Hold it until somebody mends or overrides it', off: 'Send it all the same' },
    'A refused package may use up its version number.',
  ),
  release: choice('release', (can) => can.stagedRelease, {
    auto: 'Publish at once',
    manual: 'Wait until somebody publishes it',
  }),
  rolloutPercent: Rollout,
  releaseNotes: notes('releaseNotes', 'For versions that are pushed without their own.'),
  reviewerNotes: notes(
    'reviewerNotes',
    'Such as how to try the extension. For versions that are pushed without their own.',
  ),
  skipReview: toggle('skipReview', (can) => can.skipReview, 'Versions that qualify are published without a review.'),
  signedUploads: toggle(
    'signedUploads',
    (can) => can.signedPackages,
    'Verified CRX Uploads. Turned on by itself when the store refuses a package for it.',
  ),
  watched: toggle('watched', () => true, 'Raises an alarm when the store serves a version or file that nobody pushed.'),
  fileWatched: toggle(
    'fileWatched',
    (can) => can.servedFile,
    'Downloads it once a day and after each release. See whether the terms of the store allow it.',
  ),
  encryption: choice(
    'encryption',
    (can) => can.exportCompliance,
    { exempt: 'None, or only what is exempt', nonExempt: 'Encryption that is not exempt' },
    'Your answer to Apple’s question about export compliance. It is a legal statement.',
  ),
  xcodeCloudWorkflow: line(
    'xcodeCloudWorkflow',
    (can) => can.cloudBuilds,
    null,
    'Id of the workflow that builds versions without a package. Empty: builds come from elsewhere.',
  ),
  xcodeCloudTag: line('xcodeCloudTag', (can) => can.cloudBuilds, 'v{version}', '{version} stands for the version.'),
  storefront: line(
    'storefront',
    (can) => can.storefronts,
    'us',
    'Users rate an app in the App Store of their country: its code, such as us, gb or de.',
  ),
};

/** The settings that the target's store supports. */
export const TargetFields = (props: TargetFieldsProps): ReactElement => (
  <>
    {Object.entries(FIELDS).map(([name, Setting]) => (
      <Setting key={name} {...props} />
    ))}
  </>
);
