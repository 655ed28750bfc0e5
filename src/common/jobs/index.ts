export * from './pure.js';
export * from './polling-worker.js';
export * from './replace-timeout.js';
export * from './background-tasks.js';
export * from './semaphore.js';
export * from './worker-thread.js';
