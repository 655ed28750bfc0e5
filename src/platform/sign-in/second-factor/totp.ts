import { secondOf } from '../../../common/system/index.js';

/** Seconds for which a code is shown, and by how many the clocks of app and service may differ. */
const STEP_SECONDS = 30;

/** Loads the library with the first use: most processes have no user with an app. */
const library = () => import('otplib');

/** The form of a code, however it was typed. */
export const isTotpCode = (typed: string): boolean => /^\d{6}$/.test(digitsOf(typed));

/** Makes the secret that an app shares: 160 bits in base 32. */
export const newTotpSecret = async (): Promise<string> => (await library()).generateSecret();

/** Returns what an app reads from a QR code. */
export const totpUrl = async (secret: string, email: string): Promise<string> =>
  (await library()).generateURI({ issuer: 'Pierhead', label: email, secret });

/** Returns the time step of a code (RFC 6238: SHA-1, six digits, 30 seconds); null when the code is not of now, nor of the steps next to it. */
export async function stepOfCode(secret: string, typed: string, now: Date): Promise<number | null> {
  const { verify } = await library();
  const epoch = secondOf(now.getTime());
  const result = await verify({
    secret,
    token: digitsOf(typed),
    epoch,
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

const digitsOf = (typed: string): string => typed.replaceAll(/\s/g, '');
