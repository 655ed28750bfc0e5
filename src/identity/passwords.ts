import { hash, verify } from '@node-rs/argon2';

/** OWASP's second Argon2id profile (19 MiB, two passes, one lane); the algorithm Argon2id is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that no password has, so that an unknown e-mail costs the same time as a wrong password. */
const NOBODY = hash('no user has this password', COST);

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** Whether the password is the user's; `null` stands for a user that does not exist, and takes as long. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await NOBODY), password);
  return matches && passwordHash !== null;
}
