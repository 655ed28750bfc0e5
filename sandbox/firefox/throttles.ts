/** The calls that AMO counts separately (src/stores/README.md#firefox-throttles). */
export type Throttle = 'write' | 'upload';

interface Window {
  readonly seconds: number;
  readonly calls: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The calls that a user may make in each window (src/stores/README.md#firefox-throttles). */
const WINDOWS: Readonly<Record<Throttle, readonly Window[]>> = {
  write: [
    { seconds: MINUTE, calls: 3 },
    { seconds: HOUR, calls: 10 },
    { seconds: DAY, calls: 24 },
  ],
  upload: [
    { seconds: MINUTE, calls: 6 },
    { seconds: HOUR, calls: 20 },
    { seconds: DAY, calls: 48 },
  ],
};

/** One user's calls in the windows of AMO's throttles. */
export class Throttles {
  private readonly calls = new Map<Window, number[]>();

  /** Seconds until the call would be accepted, or 0. A refused call counts in the windows that would have accepted it. */
  take(kind: Throttle, now: Date): number {
    const at = now.getTime() / 1000;
    const waits = WINDOWS[kind].map((window) => {
      const recent = (this.calls.get(window) ?? []).filter((call) => call > at - window.seconds);
      const [oldest] = recent;
      const isFull = recent.length >= window.calls;
      this.calls.set(window, isFull ? recent : [...recent, at]);
      return isFull && oldest !== undefined ? Math.max(Math.ceil(oldest + window.seconds - at), 1) : 0;
    });
    return Math.max(...waits);
  }
}
