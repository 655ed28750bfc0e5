type Listener<Fact> = (fact: Fact) => Promise<void>;

/**
 * Lets modules that depend on this one take part in its transactions. Listeners run in order, inside the transaction: if one fails, it is
 * rolled back.
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
