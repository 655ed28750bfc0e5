import { useState, type ReactElement } from 'react';
import { RolloutLine, Steps } from '../../rollout';
import { useSession } from '../../session';
import { Button } from '../../ui';
import type { Target } from './data';
import { ActDialog, RollBack } from './target-actions';
import css from './extension.module.css';

interface TargetRolloutProps {
  readonly target: Target;
  readonly name: string;
  readonly rollout: NonNullable<Target['rollout']>;
}

/** A rollout with everything that can be done about it. */
export function TargetRollout({ target, name, rollout }: TargetRolloutProps): ReactElement {
  const { can } = useSession();
  const [action, setAction] = useState<'pause' | 'resume' | 'rollback' | null>(null);
  const { extensionId, id, paused } = target;
  const close = (): void => setAction(null);
  return (
    <div className={css.rollout}>
      <RolloutLine rollout={rollout} />
      {rollout.note !== null && <small>{rollout.note}</small>}
      {can('extensions:write') && (
        <div className={css.acts}>
          <Steps place={{ extensionId, targetId: id, name, rollout }} />
          {rollout.canHalt && <Button onClick={() => setAction('pause')}>Halt</Button>}
          {paused && <Button onClick={() => setAction('resume')}>Resume</Button>}
          {rollout.canRollBack && <Button onClick={() => setAction('rollback')}>Roll back</Button>}
        </div>
      )}
      {action === 'rollback' && <RollBack target={target} name={name} onClose={close} />}
      {(action === 'pause' || action === 'resume') && (
        <ActDialog action={action} target={target} name={name} onClose={close} />
      )}
    </div>
  );
}
