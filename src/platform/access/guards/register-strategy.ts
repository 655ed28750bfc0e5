import { randomUUID } from 'node:crypto';
import passport from 'passport';

/**
 * Registers a strategy with Passport under a unique name and returns the name: the registry belongs to the process, which may run
 * several applications, each with strategies of its own.
 */
export function registerStrategy(strategy: passport.Strategy): string {
  const name = `${strategy.name}-${randomUUID()}`;
  passport.use(name, strategy);
  return name;
}
