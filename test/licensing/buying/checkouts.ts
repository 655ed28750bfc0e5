import type { ProcessorId } from '../../../src/payments/index.js';
import type { Notification } from '../../support/purchases.js';
import { withToken } from '../delivery/codes.js';
import { CHECKOUTS } from './checkout-addresses.js';

/** Puts what a checkout's address carried to where the processor repeats it. */
export function carried(processor: ProcessorId, notification: Notification, address: string): Notification {
  const token = new URL(address).searchParams.get(CHECKOUTS[processor].parameter) ?? '';
  if (processor !== 'stripe' && processor !== 'polar') return withToken(notification, token);
  const text = JSON.stringify(notification, (name, value: unknown) => {
    if (processor === 'polar')
      return name === 'metadata' ? { ...(value as object | null), reference_id: token } : value;
    const isSession = name === 'object' && typeof value === 'object' && JSON.stringify(value).startsWith('{"id":"cs_');
    return isSession ? { ...value, client_reference_id: token } : value;
  });
  return JSON.parse(text) as Notification;
}
