import { Injectable, type OnModuleInit } from '@nestjs/common';
import { addDays, dayOf } from '../../analytics/index.js';
import { Clock } from '../../common/system/index.js';
import {
  RATINGS,
  STORE_METRICS,
  StoreFailure,
  type Capabilities,
  type StoreFigure,
  type StoreMetric,
} from '../../stores/index.js';
import { TargetsService } from '../../targets/index.js';
import type { AskedItem, ItemAnswer, ItemReader } from '../item-reader.js';
import { DAILY_MS } from '../next-reading.js';
import { ReadingsRepository } from '../readings.repository.js';
import { FiguresRepository } from './figures.repository.js';

/** Days of the past that are read at first, and how long figures are kept. */
const FIRST_DAYS = 90;
const KEPT_DAYS = 400;
/** Stores complete the figures of a day later: Apple says within five days, Google says nothing. */
const REVISED_DAYS = 7;
/** Past days of many countries come in pages. */
const CALLS = { ofToday: 1, ofPast: 30 } as const;

/** Reads at a store what it counts of an item. */
@Injectable()
export class FiguresReader implements ItemReader, OnModuleInit {
  readonly everyMs = DAILY_MS;

  constructor(
    private readonly clock: Clock,
    private readonly targets: TargetsService,
    private readonly readings: ReadingsRepository,
    private readonly figures: FiguresRepository,
  ) {}

  onModuleInit(): void {
    this.targets.itemChanged.add(({ id }) => this.readAnew(id, STORE_METRICS));
    this.targets.settingsChanged.add(async ({ target: { id }, changed }) => {
      // Each storefront has ratings of its own.
      if (changed.includes('storefront')) await this.readAnew(id, RATINGS);
    });
  }

  /** Forgets figures that are of something else by now. */
  private async readAnew(targetId: string, metrics: readonly StoreMetric[]): Promise<void> {
    await this.readings.restart(targetId, 'figures', this.clock.now());
    await this.figures.deleteOf(targetId, metrics);
  }

  callsAt({ figures, figuresOfPast }: Capabilities): number {
    if (figures.length === 0) return 0;
    return figuresOfPast ? CALLS.ofPast : CALLS.ofToday;
  }

  async read({ target: { id, storefront }, store, secrets, item, startedAt }: AskedItem): Promise<ItemAnswer> {
    const today = dayOf(startedAt);
    const last = await this.figures.lastDay(id);
    const from = last === null ? addDays(today, -FIRST_DAYS) : addDays(last < today ? last : today, -REVISED_DAYS);
    const told: (readonly StoreFigure[])[] = [];
    const failures: StoreFailure[] = [];
    for (const part of store.figures(secrets, { ...item, storefront }, { from, to: today }))
      try {
        told.push(await part());
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        failures.push(error);
      }
    const write = async (): Promise<void> => {
      await this.figures.replace(id, told.flat());
      await this.figures.deleteBefore(id, addDays(today, -KEPT_DAYS));
    };
    return { write: told.length === 0 ? null : write, failures };
  }
}
