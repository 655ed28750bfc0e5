import { textFault } from '../../common/fields/index.js';
import { InvalidRequest, type FieldError } from '../../common/problems/index.js';
import { FINGERPRINT_MAX } from '../licenses/licenses.dto.js';
import { DEVICE_INFO_FAULT, labelOf } from './device-label.js';
import type { Activate, Check } from './licensing.dto.js';

export const CODE_MAX = 128;
export const EXTENSION_ID_MAX = 64;
export const NONCE_MAX = 128;

/**
 * Reads a check from an object that holds nothing unsafe. The same as validation by Check, at a fraction of its time.
 * @throws InvalidRequest naming each field that does not fit
 */
export function readCheck(body: object): Check {
  const read = seen(body);
  refuseIfAny([...nonceFaults(read), ...faultsOf(read)]);
  return read as unknown as Check;
}

/**
 * Reads an activation, as `readCheck` does a check.
 * @throws InvalidRequest naming each field that does not fit
 */
export function readActivate(body: object): Activate {
  const { deviceInfo } = body as { readonly deviceInfo?: unknown };
  const read = seen(body);
  const isFit = labelOf(deviceInfo) !== undefined;
  const own = isFit ? [] : [{ field: 'deviceInfo', message: DEVICE_INFO_FAULT }];
  // In the order in which decorators of a derived class are looked at.
  refuseIfAny([...own, ...faultsOf(read), ...nonceFaults(read)]);
  return (deviceInfo === undefined ? read : { ...read, deviceInfo }) as Activate;
}

type Given = Readonly<Partial<Record<keyof Check, unknown>>>;

function seen(body: object): Given {
  const { code, extensionId, fingerprint, nonce } = body as Given;
  const read = { code: trimmed(code), extensionId: trimmed(extensionId), fingerprint };
  return nonce === undefined ? read : { ...read, nonce };
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

const nonceFaults = ({ nonce }: Given): readonly FieldError[] =>
  nonce === undefined ? [] : faultOf('nonce', nonce, NONCE_MAX);

const faultsOf = ({ code, extensionId, fingerprint }: Given): readonly FieldError[] => [
  ...faultOf('code', code, CODE_MAX),
  ...faultOf('extensionId', extensionId, EXTENSION_ID_MAX),
  ...faultOf('fingerprint', fingerprint, FINGERPRINT_MAX),
];

function faultOf(field: string, value: unknown, max: number): readonly FieldError[] {
  const message = textFault(value, max);
  return message === null ? [] : [{ field, message }];
}

function refuseIfAny(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw new InvalidRequest(faults);
}
