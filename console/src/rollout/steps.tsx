import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../api';
import { useSession } from '../session';
import { Dialog, Field, Form, number, percent, percentIn } from '../ui';
import { shareOf } from './ring';
import css from './rollout.module.css';

/** A target with a rollout. */
interface Place {
  readonly extensionId: string;
  readonly targetId: string;
  /** Name of the target. */
  readonly name: string;
  /** Name of the extension, where the page shows several. */
  readonly of?: string;
  readonly rollout: Schemas['Rollout'];
}

/** 2.2.0, or Tab Counter 2.2.0 */
const subjectOf = ({ of, rollout: { version } }: Place): string => (of === undefined ? version : `${of} ${version}`);

/** The shares that a rollout can be widened to, a button each. @param isShort the proposed shares alone */
export function Steps({ place, isShort = false }: { readonly place: Place; readonly isShort?: boolean }): ReactElement {
  const { can } = useSession();
  const [chosen, setChosen] = useState<number | 'other' | null>(null);
  const { name, rollout } = place;
  const { steps, anyPercent } = rollout;
  const subject = subjectOf(place);
  const isShown = steps.length > 0 && can('extensions:write');
  return (
    <>
      {isShown && (
        <div
          role="group"
          aria-label={`Widen ${subject} at ${name}`}
          className={isShort ? `${css.steps} ${css.short}` : css.steps}
        >
          <span aria-hidden>Widen to</span>
          {steps.map((share) => (
            <button
              key={share}
              type="button"
              aria-label={`${percent(share / 100)}: offer ${subject} at ${name} to ${share === 100 ? 'all users' : 'this share of users'}`}
              onClick={() => setChosen(share)}
            >
              {percent(share / 100)}
            </button>
          ))}
          {anyPercent && !isShort && (
            <button type="button" onClick={() => setChosen('other')}>
              Other…
            </button>
          )}
        </div>
      )}
      {chosen !== null && <Widen place={place} chosen={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

interface WidenProps {
  readonly place: Place;
  /** The share, in percent, or that it is still to be typed. */
  readonly chosen: number | 'other';
  readonly onClose: () => void;
}

function Widen({ place, chosen, onClose }: WidenProps): ReactElement {
  const { extensionId, targetId, name, rollout } = place;
  const [typed, setTyped] = useState('');
  const share = chosen === 'other' ? percentIn(typed) : chosen;
  const least = (rollout.asked ?? rollout.percent) + 1;
  const isFault = share < least || share > 100;
  const widen = useWrite({
    write: () =>
      answer(
        api.PATCH('/api/v1/extensions/{id}/targets/{targetId}', {
          params: { path: { id: extensionId, targetId } },
          body: { rolloutPercent: share === 100 ? null : share },
        }),
      ),
    changes: [['extensions', extensionId], ['overview']],
    announcement: () => `${name} is asked to offer ${subjectOf(place)} to ${toWhom(share)}.`,
  });
  return (
    <Dialog
      title={`Widen ${subjectOf(place)}: ${name}`}
      description={consequence(place, isFault ? null : share)}
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => !isFault && widen.mutate(undefined, { onSuccess: onClose })}
        problem={widen.error}
        submit={isFault ? 'Widen' : `Offer to ${toWhom(share)}`}
        isBusy={widen.isPending}
        isDisabled={isFault}
        onCancel={onClose}
      >
        {chosen === 'other' && (
          <Field
            label="Percent of users"
            inputMode="numeric"
            value={typed}
            onValue={setTyped}
            fault={
              isFault && typed !== ''
                ? `must be a whole number from ${least} to 100.`
                : widen.error?.fault('rolloutPercent')
            }
          />
        )}
      </Form>
    </Dialog>
  );
}

const toWhom = (share: number): string => (share === 100 ? 'all users' : `${percent(share / 100)} of users`);

/** What follows from another share; of a share that is not known yet, what would follow from any. */
function consequence(place: Place, share: number | null): string {
  const { name, rollout } = place;
  const { users, anyPercent } = rollout;
  const version = subjectOf(place);
  const now = shareOf(rollout.percent, users);
  const never = 'It cannot be narrowed again.';
  if (share === null) return `${name} offers ${version} to more than the current ${now}. ${never}`;
  if (share === 100) {
    const instead = anyPercent ? now : `${now} and more from day to day`;
    return `${name} offers ${version} to all users instead of ${instead}. ${never} Later versions go to everyone at once.`;
  }
  const about = users === null ? '' : `, about ${number(Math.round((users * share) / 100))},`;
  const all = users === null ? 'users' : `${number(users)} users`;
  return `${name} offers ${version} to ${percent(share / 100)} of ${all}${about} instead of ${percent(rollout.percent / 100)}. ${never} Later versions start with ${percent(share / 100)}.`;
}
