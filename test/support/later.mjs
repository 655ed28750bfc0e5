// node --import ./test/support/later.mjs …: the process takes it to be CLOCK_AHEAD_MS later than it is, as one that starts when its machine
// has been off for so long.
const ahead = Number(process.env.CLOCK_AHEAD_MS);
const RealDate = Date;
const later = () => RealDate.now() + ahead;
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(later()).toString(),
  construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [later()] : given, made),
  get: (date, name, receiver) => (name === 'now' ? later : Reflect.get(date, name, receiver)),
});
