import type { ReactElement } from 'react';
import type { Schemas } from '../api';
import { Status, Time, type State } from '../ui';

type Health = Schemas['Credential']['health'];

const SHOWN: Readonly<Record<Health['state'], { readonly state: State; readonly word: string }>> = {
  ok: { state: 'live', word: 'Verified' },
  unproven: { state: 'underway', word: 'Key works, publisher not proven yet' },
  expires_soon: { state: 'needs_you', word: 'Expires' },
  expired: { state: 'rejected', word: 'Expired' },
  refused: { state: 'rejected', word: 'Refused by the store since' },
};

/** Whether a credential works, and since when. */
export function CredentialHealth({ health: { state, at } }: { readonly health: Health }): ReactElement {
  return (
    <Status state={SHOWN[state].state}>
      {/* As one, because the parts of a status stand apart. */}
      <span>
        {SHOWN[state].word} <Time at={at} />
      </span>
    </Status>
  );
}
