// What is judged: each row a ratio of two figures of one round, or a figure of its own, and what it has to be.

/** @typedef {{ what: string, measured: string, beside: string, atLeast?: number }} Row */

/** @type {(what: string, measured: string, beside: string, atLeast?: number) => Row} */
const throughput = (what, measured, beside, atLeast) => ({ what, measured, beside, atLeast });

/** Rows of what is loaded. A round goes through the programs in this order. @type {readonly Row[]} */
export const LOADED = [
  throughput('check / one statement each (d)', 'check', 'd: one statement each', 0.9),
  throughput('check / TypeORM as usually written (n1)', 'check', 'n1: TypeORM', 6),
  throughput('check with logs and limits as they come / without', 'check, logs and limits as they come', 'check', 0.9),
  throughput('check, most seats / few seats', 'check, most seats', 'check, few seats', 0.85),
  throughput('check, embedded database / PostgreSQL', 'check, embedded', 'check, as many as embedded'),
  throughput('ping / one INSERT each (g)', 'ping', 'g: one INSERT each', 1.2),
  throughput('activate / transaction of six round trips', 'activate', 'transaction of six', 0.6),
  throughput('activate again / check', 'activate again', 'check, few seats', 0.67),
  throughput('trivial route / stock Express (b)', 'trivial route', 'b: Express', 1.25),
  throughput('GET /licenses, most / one plain query', 'licenses', 'one query of licenses'),
  throughput('GET /overview, 100 extensions x 4 stores / one plain query', 'overview', 'one query of targets', 0.67),
  throughput('a paid order / one transaction of two rows', 'paid order', 'order of two rows'),
  throughput('tenant route, GET one extension / stock Nest constant (c)', 'tenant route', 'c: Nest', 0.4),
];

/** How much longer than usual the slowest hundredth waits while half of the capacity is used. */
export const PATIENCE = {
  what: 'check, p99 / p50 at half of capacity',
  measured: 'check, half of capacity',
  of: 'check',
  atMost: 3,
};
export const PUBLISHED = { what: 'publish to four stores / slowest store alone', atMost: 1.1 };
export const DELIVERED = {
  mails: { what: 'mails that wait / a pool of four connections' },
  webhooks: { what: 'webhooks that wait / four posts at a time' },
};
export const PUSHED = { what: 'upload of 150 MB / bare node:http', atLeast: 0.85 };
export const GROWTH = { what: 'upload, growth of resident memory in MB', atMost: 80 };

/** Programs that no row judges: how much the loader itself can send. */
export const CEILING = 'a: bare node:http';

/**
 * What must be measured for some rows, each once.
 * @param {readonly Row[]} rows
 * @returns {readonly string[]}
 */
export const neededFor = (rows) => [...new Set(rows.flatMap(({ measured, beside }) => [beside, measured]))];

/** @param {{ atLeast?: number, atMost?: number }} row @param {number} value */
export function verdictOn({ atLeast, atMost }, value) {
  if (atLeast === undefined && atMost === undefined) return { wanted: 'none', verdict: '' };
  const isMet = atLeast === undefined ? value <= atMost : value >= atLeast;
  const wanted = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return { wanted, verdict: isMet ? 'met' : 'missed' };
}
