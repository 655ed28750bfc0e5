import type { ReactElement } from 'react';
import { CopyField, OutLink, STORES } from '../../ui';
import type { Artifact, Release, Target } from './data';
import { artifactsFor } from './places';
import css from './extension.module.css';

interface PrivacyTextsProps {
  readonly target: Target | undefined;
  /** Texts pushed for all stores, and for some. */
  readonly pushed: readonly Artifact[];
  readonly release: Release;
}

/** The texts for a store's privacy page, open where the store wants something of the author. */
export function PrivacyTexts({ target, pushed, release }: PrivacyTextsProps): ReactElement | null {
  const [artifact] = artifactsFor({ id: release.targetId, store: release.store }, pushed);
  if (target === undefined || target.privacyPage === null || !artifact?.privacyFields.length) return null;
  const { store, privacyPage } = target;
  const { tone } = release.display;
  return (
    <details open={tone === 'needs_you' || tone === 'rejected'}>
      <summary>Texts for {STORES[store]}’s privacy page</summary>
      <p>
        {STORES[store]} has no API for this page, and publishes nothing while an answer is missing there. Copy each text
        into its field: <OutLink href={privacyPage}>open the page</OutLink>.
      </p>
      <dl className={css.stack}>
        {artifact.privacyFields.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {text === null ? 'No reason in pierhead.json.' : <CopyField label={`text for ${title}`} value={text} />}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
