import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { ExtensionsService } from '../../registry/index.js';

const FRESH_MS = 5_000;
const MAX_ENTRIES = 10_000;

/** Facts about the extension that an answer needs. */
export interface ExtensionFacts {
  /** Licensing is turned on and a plan exists. */
  readonly isEnabled: boolean;
  /** Duration for which a lease is valid offline. */
  readonly offlineGraceDays: number;
  /** The id of the key that signs leases now; null when the extension has none yet. */
  readonly keyId: string | null;
}

/**
 * Keeps extensions for 5 seconds, so that a code with wrong check symbols is answered without a query. Changes by this process take
 * effect at once, changes by another process within those seconds.
 */
@Injectable()
export class ExtensionCache implements OnModuleInit {
  private readonly entries = new Map<string, { readonly facts: ExtensionFacts | null; readonly until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
  ) {}

  onModuleInit(): void {
    for (const hook of [this.extensions.updated, this.extensions.beforeDelete])
      hook.add(({ id }) => {
        this.delete(id);
        return Promise.resolve();
      });
  }

  /** @returns null when there is no such extension; `undefined` when nothing fresh is cached */
  get(extensionId: string): ExtensionFacts | null | undefined {
    const entry = this.entries.get(extensionId);
    return entry !== undefined && entry.until > this.clock.now().getTime() ? entry.facts : undefined;
  }

  /** Caches an extension. @param facts null when there is no such extension */
  set(extensionId: string, facts: ExtensionFacts | null): void {
    this.entries.delete(extensionId);
    this.entries.set(extensionId, { facts, until: this.clock.now().getTime() + FRESH_MS });
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
  }

  /** Drops an extension once the current transaction has committed. */
  delete(extensionId: string): void {
    this.tx.afterCommit(() => void this.entries.delete(extensionId));
  }
}
