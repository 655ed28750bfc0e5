// Compiles the simulator, and starts a process for each of its runs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiled } from '../test/support/compiled.mjs';

/** @param edits what to change in the sources, by path */
export async function simulation(edits = {}) {
  const { folder, remove } = await compiled(['test/simulator', 'test/reconcile', 'test/webhooks'], edits);
  /** @returns the run's `Outcome` */
  const play = async (wish) => {
    const run = JSON.stringify({ only: null, isTraced: false, ...wish });
    const child = fork(join(folder, 'test/simulator/main.js'), [run], { execArgv: ['--no-warnings'] });
    const heard = [];
    child.on('message', (message) => void heard.push(message));
    const [code] = await once(child, 'exit');
    const [outcome] = heard;
    if (outcome === undefined) throw new Error(`The run of seed ${wish.seed} ended with code ${code}`);
    return outcome;
  };
  return { play, remove };
}
