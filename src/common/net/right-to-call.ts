import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether the right is still held, such as a lease. */
type IsHeld = () => Promise<boolean>;

const rights = new AsyncLocalStorage<IsHeld>();

/**
 * Runs work that makes several requests under a right that can be lost meanwhile: each request asks anew, and fails without being made once
 * the right is gone. A process that was frozen in the middle wakes up to find its work done by another one.
 */
export const underRight = <T>(isHeld: IsHeld, work: () => Promise<T>): Promise<T> => rights.run(isHeld, work);

/** Whether a request may be made now; always, for work under no such right. */
export const mayRequest = async (): Promise<boolean> => (await rights.getStore()?.()) ?? true;
