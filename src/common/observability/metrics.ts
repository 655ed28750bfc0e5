import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register, Registry } from 'prom-client';
import { RateLimits } from '../access/index.js';
import { Standby, Transactions } from '../database/index.js';
import { within } from '../net/index.js';
import type { Observer, RouteTable } from '../http/index.js';
import { PollingWorker } from '../jobs/index.js';
import { COMMIT, VERSION } from '../system/index.js';

/** A gauge that takes longer is left out, so that the others are shown while the database hangs. */
const READ_MS = 3_000;

/** A value of a gauge, under its labels. */
type Sample<Label extends string> = readonly [labels: Readonly<Partial<Record<Label, string>>>, value: number];

/** Metrics of this process for Prometheus. Each application has a registry of its own; those of Node.js are in the global one. */
@Injectable()
export class Metrics {
  private readonly own = new Registry();

  readonly steps = new Counter({
    name: 'pierhead_reconcile_steps_total',
    help: 'Steps carried out at stores.',
    labelNames: ['store', 'step', 'outcome'],
    registers: [this.own],
  });

  readonly throttles = new Counter({
    name: 'pierhead_store_throttles_total',
    help: 'Answers by which a store put off further calls.',
    labelNames: ['store'],
    registers: [this.own],
  });

  readonly packageRefusals = new Counter({
    name: 'pierhead_package_refusals_total',
    help: 'Packages that a store refused, by the preflight rule that foresees such a refusal, or none.',
    labelNames: ['store', 'rule'],
    registers: [this.own],
  });

  readonly refusedActivations = new Counter({
    name: 'pierhead_activations_refused_total',
    help: 'Activations that gave no seat, by the reason that the device was told.',
    labelNames: ['reason'],
    registers: [this.own],
  });

  readonly build = new Gauge({
    name: 'pierhead_build_info',
    help: '1, under the version and commit of this process.',
    labelNames: ['version', 'commit', 'node'],
    registers: [this.own],
    collect() {
      this.set({ version: VERSION, commit: COMMIT ?? '', node: process.version }, 1);
    },
  });

  private readonly requests = new Histogram({
    name: 'pierhead_http_request_seconds',
    help: 'Duration of requests by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [this.own],
  });

  constructor(
    private readonly discovery: DiscoveryService,
    tx: Transactions,
    limits: RateLimits,
    standby: Standby,
  ) {
    // Nothing ends their collection.
    if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
    const { workers } = this;
    this.own.registerMetric(
      new Counter({
        name: 'pierhead_rate_limit_rejections_total',
        help: 'Requests that a rate limit refused.',
        labelNames: ['limit'],
        registers: [],
        collect() {
          this.reset();
          for (const [limit, count] of limits.refused) this.inc({ limit }, count);
        },
      }),
    );
    this.own.registerMetric(
      new Counter({
        name: 'pierhead_leases_lost_total',
        help: 'Work locks that a worker let run out, counted by the process that took the row over.',
        labelNames: ['worker'],
        registers: [],
        collect() {
          this.reset();
          for (const { name, takenOver } of workers()) this.inc({ worker: name }, takenOver);
        },
      }),
    );
    this.own.registerMetric(
      new Counter({
        name: 'pierhead_standby_reads_total',
        help: 'Reports and lists read while DATABASE_READ_URL is set, by the server that answered: standby or primary.',
        labelNames: ['from'],
        registers: [],
        collect() {
          this.reset();
          for (const [from, count] of Object.entries(standby.answered)) this.inc({ from }, count);
        },
      }),
    );
    const pool = {
      name: 'pierhead_database_pool',
      help: 'Connections to the database in use and idle, and work that waits for one.',
      labelNames: ['state'],
    } as const;
    this.addGauge(pool, () => {
      const { totalCount, idleCount, waitingCount } = tx.pool;
      return Promise.resolve([
        [{ state: 'used' }, totalCount - idleCount],
        [{ state: 'idle' }, idleCount],
        [{ state: 'waiting' }, waitingCount],
      ]);
    });
  }

  /** All metrics. */
  get registry(): Registry {
    return Registry.merge([register, this.own]);
  }

  /** Adds a gauge that is read whenever metrics are. While reading fails, it has no value. */
  addGauge<Label extends string>(
    { name, help, labelNames = [] }: { name: string; help: string; labelNames?: readonly Label[] },
    read: () => Promise<readonly Sample<Label>[]>,
  ): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      async collect() {
        const samples = await within(READ_MS, read()).catch(() => []);
        this.reset();
        // Resetting gives a gauge without labels the value 0.
        if (labelNames.length === 0) this.remove();
        for (const [labels, value] of samples) this.set(labels, value);
      },
    });
    this.own.registerMetric(gauge);
  }

  /** Records the duration of each request under its route's template, so that ids do not become labels. */
  observer(routes: RouteTable): Observer {
    return ({ method, path, status, milliseconds }) => {
      const route = routes.at(path).find((one) => one.method === method)?.path ?? 'none';
      this.requests.observe({ method, route, status: status ?? 'none' }, milliseconds / 1000);
    };
  }

  private readonly workers = () =>
    this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof PollingWorker ? [instance.record] : []));
}
