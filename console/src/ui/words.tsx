import type { ReactElement } from 'react';
import css from './ui.module.css';

/** Longer texts are shown when somebody opens them. */
const SHORT = 280;

/** Words of others, such as a store's: in their own direction, whatever they contain and however long they are. */
export function Words({ text }: { readonly text: string }): ReactElement {
  if (text.length <= SHORT)
    return (
      <bdi dir="auto" className={css.words}>
        {text}
      </bdi>
    );
  return (
    <details className={css.words}>
      <summary>
        <bdi dir="auto">{text.slice(0, SHORT)}…</bdi>
      </summary>
      <bdi dir="auto">{text.slice(SHORT)}</bdi>
    </details>
  );
}
