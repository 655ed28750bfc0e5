import { spawn } from 'node:child_process';
import { once } from 'node:events';

type Env = Readonly<Record<string, string | undefined>>;

/** Opens a page in the browser of `BROWSER`, else in the usual one. @returns whether a browser was started */
export async function openInBrowser(env: Env, url: string): Promise<boolean> {
  const named = env['BROWSER'];
  try {
    if (named === undefined || named === '') {
      const { default: open } = await import('open');
      return await started(await open(url));
    }
    return await started(spawn(named, [url], { stdio: 'ignore', detached: true }));
  } catch {
    // A machine without a browser: the person opens the page on another one.
    return false;
  }
}

async function started(child: import('node:child_process').ChildProcess): Promise<boolean> {
  if (child.pid === undefined) await once(child, 'spawn');
  child.on('error', () => undefined).unref();
  return true;
}
