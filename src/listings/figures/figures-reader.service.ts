import { Injectable } from '@nestjs/common';
import { addDays, dayOf } from '../../analytics/index.js';
import type { Capabilities } from '../../stores/index.js';
import type { AskedItem, ItemReader } from '../item-reader.js';
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
export class FiguresReader implements ItemReader {
  constructor(private readonly figures: FiguresRepository) {}

  callsAt({ figures, figuresOfPast }: Capabilities): number {
    if (figures.length === 0) return 0;
    return figuresOfPast ? CALLS.ofPast : CALLS.ofToday;
  }

  async read({ target: { id }, store, secrets, item, startedAt }: AskedItem): Promise<() => Promise<void>> {
    const today = dayOf(startedAt);
    const last = await this.figures.lastDay(id);
    const from = last === null ? addDays(today, -FIRST_DAYS) : addDays(last < today ? last : today, -REVISED_DAYS);
    const figures = await store.figures(secrets, item, { from, to: today });
    return async () => {
      await this.figures.replace(id, figures);
      await this.figures.deleteBefore(id, addDays(today, -KEPT_DAYS));
    };
  }
}
