import type { ReactElement } from 'react';
import { answer, api, useChoices, useExtensionChoices } from '../../api';
import { useSession } from '../../session';
import { Checkbox } from '../../ui';
import css from './notifications.module.css';
import { EVENT_KINDS, EVENTS, LICENSE_KINDS, USUAL_KINDS, type EventKind } from './words';

/** What an endpoint is told; null for all. */
export interface Told {
  readonly events: readonly EventKind[];
  readonly extensionIds: readonly string[] | null;
  readonly planIds: readonly string[] | null;
  readonly tiers: readonly string[] | null;
}

export const USUALLY_TOLD: Told = { events: USUAL_KINDS, extensionIds: null, planIds: null, tiers: null };

const listsOf = ({ events, extensionIds, planIds, tiers }: Told): readonly (readonly string[] | null)[] => [
  events,
  extensionIds,
  planIds,
  tiers,
];

/** Whether it names at least one of each. Pure. */
export const isComplete = (told: Told): boolean => listsOf(told).every((named) => named === null || named.length > 0);

/** Whether two name the same, in any order. Pure. */
export const isSameTold = (one: Told, other: Told): boolean => asText(one) === asText(other);
const asText = (told: Told): string => JSON.stringify(listsOf(told).map((named) => named?.toSorted() ?? null));

/** The fields of a request. Pure. */
export const bodyOf = ({ events, extensionIds, planIds, tiers }: Told) => ({
  events: [...events],
  extensionIds: extensionIds === null ? null : [...extensionIds],
  planIds: planIds === null ? null : [...planIds],
  tiers: tiers === null ? null : [...tiers],
});

interface OnlyProps {
  readonly legend: string;
  /** Meaning of no choice. */
  readonly all: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** Null for all. */
  readonly chosen: readonly string[] | null;
  readonly onChosen: (chosen: readonly string[] | null) => void;
}

/** All, or only those that somebody chooses. */
function Only({ legend, all, choices, chosen, onChosen }: OnlyProps): ReactElement {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <Checkbox label={all} checked={chosen === null} onChecked={(isAll) => onChosen(isAll ? null : [])} />
      {chosen !== null &&
        choices.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={<span className={css.broken}>{label}</span>}
            checked={chosen.includes(value)}
            onChecked={(isIn) => onChosen(isIn ? [...chosen, value] : chosen.filter((one) => one !== value))}
          />
        ))}
    </fieldset>
  );
}

interface ToldProps {
  readonly told: Told;
  readonly onTold: (told: Told) => void;
}

/** Which licenses' events an endpoint receives. */
function LicenseFilters({ told, onTold }: ToldProps): ReactElement {
  const extensions = useExtensionChoices();
  const { data: plans = [] } = useChoices('plans', (query, signal) =>
    answer(api.GET('/api/v1/plans', { params: { query }, signal })),
  );
  const nameOf = (id: string): string => extensions.find((one) => one.id === id)?.name ?? 'Extension';
  const tiers = [...new Set(plans.map(({ tier }) => tier))];
  return (
    <>
      <Only
        legend="Licenses of"
        all="All plans, also later ones"
        choices={plans.map(({ id, tier, extensionId }) => ({ value: id, label: `${nameOf(extensionId)}, ${tier}` }))}
        chosen={told.planIds}
        onChosen={(planIds) => onTold({ ...told, planIds })}
      />
      <Only
        legend="Tiers"
        all="All tiers, also later ones"
        choices={tiers.map((tier) => ({ value: tier, label: tier }))}
        chosen={told.tiers}
        onChosen={(chosen) => onTold({ ...told, tiers: chosen })}
      />
    </>
  );
}

/** The events that an endpoint receives, and what they are about. */
export function ToldChoice({ told, onTold }: ToldProps): ReactElement {
  const extensions = useExtensionChoices();
  const mayReadLicenses = useSession().can('licenses:read');
  const { events } = told;
  const choiceOf = (kind: EventKind): ReactElement => (
    <Checkbox
      key={kind}
      label={EVENTS[kind]}
      checked={events.includes(kind)}
      onChecked={(isOn) =>
        onTold({ ...told, events: EVENT_KINDS.filter((each) => (each === kind ? isOn : events.includes(each))) })
      }
    />
  );
  return (
    <>
      <fieldset>
        <legend>Events</legend>
        {USUAL_KINDS.map(choiceOf)}
      </fieldset>
      {mayReadLicenses && (
        <fieldset>
          <legend>Events of licenses, which name the buyer</legend>
          {LICENSE_KINDS.map(choiceOf)}
        </fieldset>
      )}
      <Only
        legend="About"
        all="All extensions, also later ones"
        choices={extensions.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={told.extensionIds}
        onChosen={(extensionIds) => onTold({ ...told, extensionIds })}
      />
      {mayReadLicenses && LICENSE_KINDS.some((kind) => events.includes(kind)) && (
        <LicenseFilters told={told} onTold={onTold} />
      )}
    </>
  );
}
