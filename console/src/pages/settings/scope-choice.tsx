import type { ReactElement } from 'react';
import { useExtensionChoices } from '../../api';
import { Checkbox } from '../../ui';
import css from './settings.module.css';
import { ALL_SCOPES, SCOPES, type Scope } from './words';

const toggled = <Value,>(values: readonly Value[], value: Value, isIn: boolean): readonly Value[] =>
  isIn ? [...values, value] : values.filter((one) => one !== value);

interface ScopeChoiceProps {
  readonly scopes: readonly Scope[];
  readonly onScopes: (scopes: readonly Scope[]) => void;
  /** Null for all extensions. */
  readonly extensionIds: readonly string[] | null;
  readonly onExtensionIds: (ids: readonly string[] | null) => void;
}

/** Permissions of a token or a run of CI, and their extensions. */
export function ScopeChoice({ scopes, onScopes, extensionIds, onExtensionIds }: ScopeChoiceProps): ReactElement {
  const extensions = useExtensionChoices();
  return (
    <>
      <fieldset>
        <legend>It may</legend>
        {ALL_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={SCOPES[scope]}
            checked={scopes.includes(scope)}
            onChecked={(isIn) => onScopes(toggled(scopes, scope, isIn))}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>For</legend>
        <Checkbox
          label="All extensions, also later ones"
          checked={extensionIds === null}
          onChecked={(isAll) => onExtensionIds(isAll ? null : [])}
        />
        {extensionIds !== null &&
          extensions.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={<span className={css.broken}>{name}</span>}
              checked={extensionIds.includes(id)}
              onChecked={(isIn) => onExtensionIds(toggled(extensionIds, id, isIn))}
            />
          ))}
      </fieldset>
    </>
  );
}
