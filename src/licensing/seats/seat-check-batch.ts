import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Batcher, SHARING_STATEMENTS } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { ExtensionCache } from '../plans/index.js';
import { SeatsRepository, type SeatCheck, type SeatKey } from './seats.repository.js';

/** Lets checks that arrive together share one statement and its commit. */
@Injectable()
export class SeatCheckBatch implements BeforeApplicationShutdown {
  private readonly batcher = new Batcher<SeatKey, SeatCheck | null>((keys) => this.loadAll(keys), SHARING_STATEMENTS);

  constructor(
    private readonly clock: Clock,
    private readonly seats: SeatsRepository,
    private readonly cache: ExtensionCache,
  ) {}

  /** Loads the seat of a key, and writes its heartbeat if one is due. @returns null when there is no such extension */
  load(key: SeatKey): Promise<SeatCheck | null> {
    return this.batcher.add(key);
  }

  /** Finishes the checks that are waiting. */
  beforeApplicationShutdown(): Promise<void> {
    return this.batcher.drain();
  }

  /** Loads each different key once, in a fixed order: an UPDATE answers for a row only once. */
  private async loadAll(keys: readonly SeatKey[]): Promise<readonly (SeatCheck | null)[]> {
    const texts = keys.map(textOf);
    const distinct = new Map(keys.map((key, at) => [texts[at] ?? '', key]));
    const inOrder = [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const checks = await this.seats.load(
      inOrder.map(([, key]) => key),
      this.clock.now(),
    );
    const byText = new Map(inOrder.map(([text], place) => [text, checks[place] ?? null]));
    inOrder.forEach(([, { extensionId }], place) =>
      this.cache.set(extensionId, checks[place]?.lookup.extension ?? null),
    );
    return texts.map((text) => byText.get(text) ?? null);
  }
}

const textOf = ({ extensionId, digests, device }: SeatKey): string =>
  `${extensionId} ${digests.map((digest) => digest.toString('latin1')).join('')} ${device.toString('latin1')}`;
