import { answer, type Service } from '../api/service.js';
import type { Context } from '../context.js';
import { asFailure } from '../failure.js';

/** Carries out what wants the second factor, and asks for its code when the session has not shown it lately. */
export async function withSecondFactor<Result>(
  context: Context,
  service: Service,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (asFailure(error).code !== 'second_factor_required' || !context.terminal.isInteractive) throw error;
      await showCode(context, service);
    }
}

/** Reports a wrong code; the next attempt asks for another one. */
async function showCode({ ask, terminal }: Context, { client }: Service): Promise<void> {
  const code = await ask.text('Code from your authenticator app, or a recovery code', 'an access token');
  try {
    await answer(client.POST('/api/v1/auth/second-factor/verify', { body: { code } }));
  } catch (error) {
    const { code: why, message } = asFailure(error);
    if (why !== 'second_factor_invalid') throw error;
    terminal.tell(`  ${message}`);
  }
}
