import { Injectable } from '@nestjs/common';
import { may, type Caller } from '../../../common/access/index.js';
import { CodesService, readCode } from '../../../licensing/index.js';
import { SearchRepository } from './search.repository.js';
import type { SearchHit, SearchResult } from './search.dto.js';
import { termsOf } from './search-terms.js';

/** Search through everything that a tenant has. */
@Injectable()
export class SearchService {
  constructor(
    private readonly hits: SearchRepository,
    private readonly codes: CodesService,
  ) {}

  /** Finds what the caller may read. */
  async search(caller: Caller, text: string): Promise<SearchResult> {
    const terms = termsOf(text);
    const mayReadLicenses = may(caller, 'licenses:read');
    const symbols = readCode(text);
    const digests = symbols === null ? [] : this.codes.possibleDigests(symbols);
    const nothing: readonly SearchHit[] = [];
    const found = await Promise.all([
      this.hits.extensions(caller, terms),
      mayReadLicenses ? this.hits.licenses(caller, terms, digests) : nothing,
      // A sale without a license belongs to no extension.
      mayReadLicenses && caller.extensionIds === null && (terms.refs.length > 0 || terms.buyers !== null)
        ? this.hits.sales(caller.tenantId, terms)
        : nothing,
    ]);
    return { items: found.flat() };
  }
}
