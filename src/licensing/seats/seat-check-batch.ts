import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Batcher, SHARING_STATEMENTS } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { ExtensionCache } from '../plans/index.js';
import type { CodeOf, SeatCheck } from './seat-lookup.js';
import { SeatsRepository, type SeatKey } from './seats.repository.js';

/** Lets checks that arrive together share one statement and its commit. Only codes that no license has are looked up as a member's. */
@Injectable()
export class SeatCheckBatch implements BeforeApplicationShutdown {
  private readonly batchers = { license: this.batcherOf('license'), member: this.batcherOf('member') };

  constructor(
    private readonly clock: Clock,
    private readonly seats: SeatsRepository,
    private readonly cache: ExtensionCache,
  ) {}

  /** Loads the seat of a key, and writes its heartbeat if one is due. @returns null when there is no such extension */
  async load(key: SeatKey): Promise<SeatCheck | null> {
    const check = await this.batchers.license.add(key);
    return check === null || check.lookup.license !== null ? check : this.batchers.member.add(key);
  }

  /** Finishes the checks that are waiting. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.batchers.license.drain();
    await this.batchers.member.drain();
  }

  private batcherOf(by: CodeOf): Batcher<SeatKey, SeatCheck | null> {
    return new Batcher((keys) => this.loadAll(keys, by), SHARING_STATEMENTS);
  }

  /** Loads each different key once, in a fixed order: an UPDATE answers for a row only once. */
  private async loadAll(keys: readonly SeatKey[], by: CodeOf): Promise<readonly (SeatCheck | null)[]> {
    const texts = keys.map(textOf);
    const distinct = new Map(keys.map((key, at) => [texts[at] ?? '', key]));
    const inOrder = [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const checks = await this.seats.load(
      inOrder.map(([, key]) => key),
      by,
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
