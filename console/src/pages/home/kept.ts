import { useSyncExternalStore } from 'react';
import { useSession } from '../../session';
import { NOTHING, readKept, type Kept } from './kept-list';

let last: { readonly text: string | null; readonly kept: Kept } = { text: null, kept: NOTHING };
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/**
 * What this person keeps of this workspace's home page, and how to change it. It stays in the browser: it orders a list for one pair of eyes, is
 * shown before the first answer arrives, and is no data of the workspace that an export or an audit would have to explain.
 */
export function useKept(): readonly [Kept, (change: (kept: Kept) => Kept) => void] {
  const { user, tenant } = useSession();
  const key = `pierhead-home ${user.id} ${tenant.id}`;
  const kept = useSyncExternalStore(subscribe, () => {
    const text = localStorage.getItem(key);
    if (last.text !== text) last = { text, kept: readKept(text) };
    return last.kept;
  });
  const change = (by: (before: Kept) => Kept): void => {
    localStorage.setItem(key, JSON.stringify(by(kept)));
    for (const listener of listeners) listener();
  };
  return [kept, change];
}
