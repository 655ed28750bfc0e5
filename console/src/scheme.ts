import { useSyncExternalStore } from 'react';

export type SchemeChoice = 'system' | 'light' | 'dark';

const KEY = 'pierhead-scheme';
const isDark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function chosen(): SchemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Puts the reader's choice, or else that of the system, on the page; `main.tsx` calls it before anything is drawn. */
export function applyScheme(): void {
  const choice = chosen();
  const scheme = choice === 'system' ? (isDark.matches ? 'dark' : 'light') : choice;
  document.documentElement.dataset['scheme'] = scheme;
  for (const listener of listeners) listener();
}
isDark.addEventListener('change', applyScheme);

export function chooseScheme(choice: SchemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  applyScheme();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useScheme = (): SchemeChoice => useSyncExternalStore(subscribe, chosen);
