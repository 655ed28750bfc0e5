import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Observer, RouteTable } from '../http/index.js';

/** Metrics for Prometheus. Each application has its own registry. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly steps = new Counter({
    name: 'pierhead_reconcile_steps_total',
    help: 'Steps carried out at stores.',
    labelNames: ['store', 'step', 'outcome'],
    registers: [this.registry],
  });

  private readonly requests = new Histogram({
    name: 'pierhead_http_request_seconds',
    help: 'Duration of requests by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Records the duration of each request under its route's template, so that ids do not become labels. */
  observer(routes: RouteTable): Observer {
    return ({ method, path, status, milliseconds }) => {
      const route = routes.at(path).find((one) => one.method === method)?.path ?? 'none';
      this.requests.observe({ method, route, status: status ?? 'none' }, milliseconds / 1000);
    };
  }
}
