import type { ReactElement } from 'react';
import { Actions, Button, copyText, counted, MustAnswer, saveFile } from '../../ui';
import { handedOutIn } from './batch';
import css from './licenses.module.css';

interface IssuedProps {
  /** The answer to the request that issued them; null while there is none. */
  readonly csv: string | null;
  readonly isGift: boolean;
  readonly onClose: () => void;
}

/** Shows codes or gift links that cannot be shown again, until somebody says that they have them. */
export function Issued({ csv, isGift, onClose }: IssuedProps): ReactElement {
  const all = handedOutIn(csv ?? '');
  const many = isGift ? 'gift links' : 'codes';
  return (
    <MustAnswer
      title={counted(all.length, isGift ? 'gift link' : 'code')}
      description={
        isGift
          ? 'Save them now: they are not stored and cannot be shown again. Each gives its code once.'
          : 'Save them now: they are not stored and cannot be shown again.'
      }
      isOpen={csv !== null}
    >
      <pre className={css.handedOut} tabIndex={0} role="group" aria-label={many}>
        {all.join('\n')}
      </pre>
      <Actions>
        <Button
          kind="primary"
          onClick={() => saveFile(new Blob([csv ?? ''], { type: 'text/csv' }), isGift ? 'links.csv' : 'codes.csv')}
        >
          Save as CSV
        </Button>
        <Button onClick={() => copyText(many, all.join('\n'))}>Copy all</Button>
        <Button onClick={onClose}>Done</Button>
      </Actions>
    </MustAnswer>
  );
}
