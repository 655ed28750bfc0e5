import { describe, expect, it } from 'vitest';
import type { Context } from '../context.js';
import { confirmed } from './confirmed.js';

describe('what cannot be undone', () => {
  const said: string[] = [];
  /** A person who answers every question with this. */
  const typing = (answer: string): Pick<Context, 'ask' | 'terminal'> =>
    ({
      ask: { text: () => Promise.resolve(answer) },
      terminal: { note: (text: string) => void said.push(text) },
    }) as unknown as Pick<Context, 'ask' | 'terminal'>;
  const deed = { what: 'This revokes …4F7QK for good.', name: '4F7QK', called: 'the last five symbols' };

  it('is said, and done when its name is typed', async () => {
    await confirmed(typing(' 4f7qk '), deed);
    expect(said).toEqual([deed.what]);
  });

  it.each(['y', 'yes', '4F7QX', ''])('is not done when "%s" is typed', async (answer) => {
    await expect(confirmed(typing(answer), deed)).rejects.toThrow('That is not 4F7QK. Nothing was changed.');
  });
});
