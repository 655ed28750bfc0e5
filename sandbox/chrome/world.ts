import { ControlRefusal } from '../control-refusal.js';
import { newExtensionId } from '../extension-id.js';
import type { SimClock } from '../sim-clock.js';
import { Accounts } from './accounts.js';
import { type Item, newItem } from './item.js';
import { applyItemInput } from './item-input.js';
import { applyDue } from './review.js';
import { AccessTokens } from './tokens.js';

/** The state of the stand-in. */
export class ChromeWorld {
  readonly accounts = new Accounts();
  readonly tokens = new AccessTokens();
  private readonly items = new Map<string, Item>();

  constructor(readonly clock: SimClock) {}

  createItem(publisherId: string, itemId: string | undefined, input: unknown): Item {
    if (!this.accounts.hasPublisher(publisherId)) throw new ControlRefusal(404, `no publisher ${publisherId}`);
    const id = itemId ?? newExtensionId();
    if (this.items.has(id)) throw new ControlRefusal(409, `item ${id} exists already`);
    return this.save(applyItemInput(newItem(publisherId, id), input, this.clock.now()));
  }

  /** The current item: a review that is due to end has ended. */
  item(itemId: string): Item | undefined {
    const item = this.items.get(itemId);
    return item && this.save(applyDue(item, this.clock.now()));
  }

  list(): readonly Item[] {
    return [...this.items.keys()].flatMap((itemId) => this.item(itemId) ?? []);
  }

  save(item: Item): Item {
    this.items.set(item.itemId, item);
    return item;
  }

  reset(): void {
    this.accounts.clear();
    this.tokens.clear();
    this.items.clear();
  }
}
