import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { ExtensionsService } from '../../registry/index.js';

const FRESH_MS = 5_000;
const ENTRIES_MAX = 10_000;

/** What an answer about no license at all needs to know of the extension. */
export interface ExtensionFacts {
  /** Licensing is switched on, and there is a plan. */
  readonly isEnabled: boolean;
  readonly offlineGraceDays: number;
  /** Of the key that signs its leases now; null when none was made yet. */
  readonly keyId: string | null;
}

/**
 * Remembers extensions for seconds, so that a code that is none by its own check symbols is answered, and the answer signed, without a
 * look into the database. Whatever this process changes is forgotten at once; what another one changes, within 5 s.
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
    for (const hook of [this.extensions.updated, this.extensions.deleting])
      hook.add(({ id }) => {
        this.forget(id);
        return Promise.resolve();
      });
  }

  /** `undefined` when nothing recent is known; null when there is no such extension. */
  recall(extensionId: string): ExtensionFacts | null | undefined {
    const entry = this.entries.get(extensionId);
    return entry !== undefined && entry.until > this.clock.now().getTime() ? entry.facts : undefined;
  }

  remember(extensionId: string, facts: ExtensionFacts | null): void {
    this.entries.delete(extensionId);
    this.entries.set(extensionId, { facts, until: this.clock.now().getTime() + FRESH_MS });
    const [oldest] = this.entries.keys();
    if (this.entries.size > ENTRIES_MAX && oldest !== undefined) this.entries.delete(oldest);
  }

  /** Forgets what the transaction under way changes, once it has committed. */
  forget(extensionId: string): void {
    this.tx.afterCommit(() => void this.entries.delete(extensionId));
  }
}
