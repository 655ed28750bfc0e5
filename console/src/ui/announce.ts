/** The last announcement; screen readers read it out, and everybody sees it for a moment. */
export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** Takes back what was done, where that can be. */
  readonly undo?: (() => void) | undefined;
}

let last: Announcement = { id: 0, text: '' };
const listeners = new Set<() => void>();

/** Says what happened, in one sentence: a toast for the eyes, a live region for the ears. */
export function announce(text: string, undo?: () => void): void {
  last = { id: last.id + 1, text, undo };
  for (const listener of listeners) listener();
}

export const lastAnnouncement = (): Announcement => last;

export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
