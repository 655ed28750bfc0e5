/** The only source of "now" for decisions, so that a test can hold the time. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
