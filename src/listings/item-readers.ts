import { Injectable } from '@nestjs/common';
import { AnnouncementsReader } from './announcements-reader.service.js';
import { FiguresReader } from './figures/figures-reader.service.js';
import type { ItemReader } from './item-reader.js';
import type { ReadingKind } from './listing-reading.entity.js';
import { ReviewsReader } from './reviews/reviews-reader.service.js';
import { ServedFileReader } from './served-file-reader.service.js';

/** The readers of all kinds of things. */
@Injectable()
export class ItemReaders {
  readonly of: Readonly<Record<ReadingKind, ItemReader>>;

  constructor(
    figures: FiguresReader,
    reviews: ReviewsReader,
    announcements: AnnouncementsReader,
    file: ServedFileReader,
  ) {
    this.of = { figures, reviews, announcements, file };
  }
}
