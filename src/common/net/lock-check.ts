import { AsyncLocalStorage } from 'node:async_hooks';

type LockCheck = () => Promise<boolean>;

const checks = new AsyncLocalStorage<LockCheck>();

/**
 * Runs work that makes several requests under a work lock: each request checks the lock first, and fails without being made once it is lost. A
 * process that was frozen in the middle wakes up to find its work done by another one.
 */
export const withLockCheck = <T>(isValid: LockCheck, work: () => Promise<T>): Promise<T> => checks.run(isValid, work);

/** Whether a request may be made now; always, for work without a lock. */
export const isWorkLockValid = async (): Promise<boolean> => (await checks.getStore()?.()) ?? true;
