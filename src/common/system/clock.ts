/** The only source of the current time, which tests can set. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
