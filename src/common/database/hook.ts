type Listener<Fact> = (fact: Fact) => Promise<void>;

/**
 * Lets a folder further along the arrows take part in what this one does, without this one knowing it. Listeners run in turn, inside
 * the transaction under way: if one fails, nothing of it has happened.
 */
export class Hook<Fact> {
  private readonly listeners: Listener<Fact>[] = [];

  add(listener: Listener<Fact>): void {
    this.listeners.push(listener);
  }

  async run(fact: Fact): Promise<void> {
    for (const listener of this.listeners) await listener(fact);
  }
}
