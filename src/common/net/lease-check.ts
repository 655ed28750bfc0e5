import { AsyncLocalStorage } from 'node:async_hooks';

type LeaseCheck = () => Promise<boolean>;

const checks = new AsyncLocalStorage<LeaseCheck>();

/**
 * Runs work that makes several requests under a lease: each request checks the lease first, and fails without being made once it is lost. A
 * process that was frozen in the middle wakes up to find its work done by another one.
 */
export const withLeaseCheck = <T>(isHeld: LeaseCheck, work: () => Promise<T>): Promise<T> => checks.run(isHeld, work);

/** Whether a request may be made now; always, for work under no lease. */
export const isLeaseHeld = async (): Promise<boolean> => (await checks.getStore()?.()) ?? true;
