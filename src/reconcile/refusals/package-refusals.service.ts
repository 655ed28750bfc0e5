import { Injectable } from '@nestjs/common';
import { Metrics } from '../../common/observability/index.js';
import { Clock } from '../../common/system/index.js';
import { ruleForeseeing, type StoreFailure, type StoreId } from '../../stores/index.js';
import { PackageRefusalsRepository } from './package-refusals.repository.js';
import type { PackageRefusalList } from './package-refusals.dto.js';
import { wordsOf } from './refusal-words.js';

/** Learns from refusals: where a store refuses a package in which no rule had found a fault, a rule is missing. */
@Injectable()
export class PackageRefusalsService {
  constructor(
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly refusals: PackageRefusalsRepository,
  ) {}

  /** Notes that a store refused a package. Part of the transaction that records the refusal. */
  async note(store: StoreId, { message }: StoreFailure): Promise<void> {
    const rule = ruleForeseeing(store, message);
    if (rule === null) await this.refusals.count(store, wordsOf(message), this.clock.now());
    this.metrics.packageRefusals.inc({ store, rule: rule ?? 'none' });
  }

  /** The refusals that no rule foresees, the most frequent first. */
  async list(): Promise<PackageRefusalList> {
    const rows = await this.refusals.findAll();
    return { items: rows.map(({ store, words, count, updatedAt }) => ({ store, words, count, lastAt: updatedAt })) };
  }
}
