import { Clock } from '../../src/common/system/clock.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A clock that stands still until the test moves it. */
export class TestClock extends Clock {
  private current = Date.now();

  override now(): Date {
    return new Date(this.current);
  }

  forward(ms: number): void {
    this.current += ms;
  }

  /** Shows the machine's time again. */
  reset(): void {
    this.current = Date.now();
  }
}
