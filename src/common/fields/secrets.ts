import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What the secret of a link or of a session looks like: 256 random bits in base64url. */
const SECRET = /^[\w-]{43}$/;

export const newSecret = (): string => randomBytes(32).toString('base64url');
export const isSecret = (text: string): boolean => SECRET.test(text);
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** What each form of a session carries: only a page that was served to this very session knows it. */
export const formTokenOf = (sessionSecret: string): string => digestOf(`form:${sessionSecret}`);

/** Whether two texts are the same, in a time that does not tell how much of them is. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
