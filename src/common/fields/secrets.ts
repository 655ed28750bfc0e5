import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The form of a secret: 256 random bits in base64url. */
const SECRET = /^[\w-]{43}$/;

/** Makes the secret of a link or a session. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
/** Whether text has the form of a secret. */
export const isSecret = (text: string): boolean => SECRET.test(text);
/** Returns the hash under which a secret is stored. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Returns the token that each form of a session carries, which only pages served to that session know. */
export const formTokenOf = (sessionSecret: string): string => digestOf(`form:${sessionSecret}`);

/** Compares digests, so that texts of any length take the same time. */
export const equalsInConstantTime = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
