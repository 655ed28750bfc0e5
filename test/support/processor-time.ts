const TIMES = 5;

/**
 * Milliseconds for which the processor works on something, in the quickest of several runs: neither other programs nor
 * a collection of garbage or a compilation, which may fall into one of them, make that longer.
 */
export async function leastTimeOf(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < TIMES; time += 1) {
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
