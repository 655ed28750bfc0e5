import { hash, verify } from '@node-rs/argon2';

/** OWASP's second Argon2id profile (19 MiB, two passes, one lane); the algorithm Argon2id is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that no password has: an unknown e-mail address takes as long as a wrong password. */
const UNKNOWN_USER = hash('no user has this password', COST);

/** Hashes a password for storage. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** Whether a password matches a hash. `null`, for a user that does not exist, takes as long. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await UNKNOWN_USER), password);
  return matches && passwordHash !== null;
}
