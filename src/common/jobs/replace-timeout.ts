import type { SchedulerRegistry } from '@nestjs/schedule';

/** Registers the next run of a loop under the loop's name, in place of the one before. */
export function replaceTimeout(registry: SchedulerRegistry, name: string, run: () => void, delayMs: number): void {
  dropTimeout(registry, name);
  registry.addTimeout(name, setTimeout(run, delayMs));
}

/** Cancels the next run of a loop, if there is one. */
export function dropTimeout(registry: SchedulerRegistry, name: string): void {
  if (registry.doesExist('timeout', name)) registry.deleteTimeout(name);
}
