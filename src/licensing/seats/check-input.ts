import { textFault } from '../../common/fields/index.js';
import { InvalidRequest, type FieldError } from '../../common/problems/index.js';
import { FINGERPRINT_MAX } from '../licenses/licenses.dto.js';
import type { Check } from './licensing.dto.js';

export const CODE_MAX = 128;
export const EXTENSION_ID_MAX = 64;
export const NONCE_MAX = 128;

/**
 * Reads a check from an object that holds nothing unsafe. The same as validation by Check, at a fraction of its time.
 * @throws InvalidRequest naming each field that does not fit
 */
export function readCheck(body: object): Check {
  const given = body as Readonly<Record<keyof Check, unknown>>;
  const read = { code: trimmed(given.code), extensionId: trimmed(given.extensionId), fingerprint: given.fingerprint };
  const faults: FieldError[] = [];
  const hold = (field: keyof Check, value: unknown, max: number): void => {
    const message = textFault(value, max);
    if (message !== null) faults.push({ field, message });
  };
  if (given.nonce !== undefined) hold('nonce', given.nonce, NONCE_MAX);
  hold('code', read.code, CODE_MAX);
  hold('extensionId', read.extensionId, EXTENSION_ID_MAX);
  hold('fingerprint', read.fingerprint, FINGERPRINT_MAX);
  if (faults.length > 0) throw new InvalidRequest(faults);
  return (given.nonce === undefined ? read : { ...read, nonce: given.nonce }) as Check;
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
