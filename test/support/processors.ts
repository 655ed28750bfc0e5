import { HttpClient, makeProcessors } from './app.js';

/** All payment processors, for tests that need no API. */
export const PROCESSORS = makeProcessors(() => '', new HttpClient({ allowedHosts: [] }), { now: () => new Date() });
