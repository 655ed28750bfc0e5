import type { ReactElement } from 'react';
import { answer, api, useWrite } from '../../api';
import { Button, CopyField, ProblemNote } from '../../ui';
import css from './start.module.css';

interface TokenStepProps {
  /** The token that was just made; it is shown until the page is left. */
  readonly token: string | null;
  readonly onToken: (token: string) => void;
}

/** Makes a token for CI, which is shown once. */
export function TokenStep({ token, onToken }: TokenStepProps): ReactElement {
  const create = useWrite({
    write: () => {
      const body = { name: 'CI', scopes: ['extensions:read' as const, 'artifacts:write' as const] };
      return answer(api.POST('/api/v1/access-tokens', { body }));
    },
    changes: [['access-tokens']],
    announcement: () => 'The token is created.',
  });
  if (token !== null)
    return (
      <div className={css.code}>
        <p>Store it as the secret PIERHEAD_TOKEN of your repository. It is shown only now.</p>
        <CopyField label="token" value={token} />
        <p>A job then pushes what it built:</p>
        <CopyField
          label="command"
          value={`PIERHEAD_URL=${window.location.origin} npx --yes ${window.location.origin}/cli/pierhead.tgz push`}
        />
      </div>
    );
  return (
    <>
      <p>The token reads extensions and pushes versions, and can do nothing else.</p>
      {create.error !== null && <ProblemNote problem={create.error} />}
      <div>
        <Button
          kind="primary"
          isBusy={create.isPending}
          onClick={() => create.mutate(undefined, { onSuccess: ({ token: made }) => onToken(made) })}
        >
          Create a token
        </Button>
      </div>
    </>
  );
}
