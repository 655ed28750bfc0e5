import { Injectable } from '@nestjs/common';
import { Sealer } from '../../common/sealing/index.js';
import type { ImportFacts } from './import-facts.js';
import type { ImportRow } from './imports.repository.js';

const purposeOf = (id: string): string => `license-import:${id}`;

/** Seals what is known of files, which names products and addresses. */
@Injectable()
export class ImportFactsService {
  constructor(private readonly sealer: Sealer) {}

  seal(id: string, facts: ImportFacts): Promise<string> {
    return this.sealer.seal(facts, purposeOf(id));
  }

  /** @throws CannotUnseal */
  async open({ id, sealed }: Pick<ImportRow, 'id' | 'sealed'>): Promise<ImportFacts> {
    return (await this.sealer.unseal(sealed, purposeOf(id))) as ImportFacts;
  }
}
