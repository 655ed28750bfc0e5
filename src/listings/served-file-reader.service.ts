import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { NOTHING_TOLD, ServedFilesService, type FileOutcome, type ToldOfFile } from '../reconcile/index.js';
import { StoreFailure, type Capabilities } from '../stores/index.js';
import { TargetsService, type TargetEntity } from '../targets/index.js';
import type { AskedItem, ItemAnswer, ItemReader } from './item-reader.js';
import { DAILY_MS } from './next-reading.js';
import { ReadingsRepository } from './readings.repository.js';

/** The update service, and the file that it names. */
const CALLS = 2;

/** Has the file that users get compared with what was sent, also as soon as a store serves another version. */
@Injectable()
export class ServedFileReader implements ItemReader, OnModuleInit {
  readonly everyMs = DAILY_MS;

  constructor(
    private readonly clock: Clock,
    private readonly targets: TargetsService,
    private readonly readings: ReadingsRepository,
    private readonly files: ServedFilesService,
  ) {}

  onModuleInit(): void {
    const restart = ({ id }: { readonly id: string }): Promise<void> =>
      this.readings.restart(id, 'file', this.clock.now());
    this.targets.itemChanged.add(restart);
    this.targets.publicIdChanged.add(restart);
    const repeat = async ({ id, fileWatched }: Pick<TargetEntity, 'id' | 'fileWatched'>): Promise<void> => {
      if (fileWatched) await this.readings.repeat(id, 'file', this.clock.now());
    };
    this.files.versionChanged.add(repeat);
    this.targets.settingsChanged.add(async ({ target, changed }) => {
      if (changed.includes('watched') || changed.includes('fileWatched')) await repeat(target);
    });
  }

  callsAt({ servedFile }: Capabilities, { watched, fileWatched }: TargetEntity): number {
    return servedFile && watched && fileWatched ? CALLS : 0;
  }

  async read({ target, reading }: AskedItem): Promise<ItemAnswer> {
    const before = reading.told ?? NOTHING_TOLD;
    const note = async (told: ToldOfFile): Promise<void> => this.readings.noteTold(reading.id, told);
    try {
      const outcome = await this.files.compare(target);
      const write = async (of: FileOutcome): Promise<void> => note(await this.files.tell(target, before, of));
      return { write: outcome && (() => write(outcome)), failures: [] };
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const write = async (): Promise<void> => note(await this.files.tellUnread(target, before, error));
      // The first failure may pass by the next attempt; the second in a row is told.
      return { write: reading.failure === null ? null : write, failures: [error] };
    }
  }
}
