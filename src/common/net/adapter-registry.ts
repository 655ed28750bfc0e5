/** The adapters of a port, exactly one for each id: otherwise the service does not start. */
export abstract class AdapterRegistry<Id extends string, Adapter extends { readonly id: Id }> {
  private readonly byId: ReadonlyMap<string, Adapter>;

  constructor(
    private readonly ids: readonly Id[],
    adapters: readonly Adapter[],
  ) {
    this.byId = new Map(adapters.map((adapter) => [adapter.id, adapter]));
    const missing = ids.filter((id) => !this.byId.has(id));
    if (missing.length > 0) throw new Error(`No adapter is registered for ${missing.join(', ')}`);
    if (adapters.length !== ids.length) throw new Error('Two adapters are registered for one id');
  }

  for(id: Id): Adapter {
    const adapter = this.byId.get(id);
    if (adapter === undefined) throw new Error(`There is no adapter for ${id}`);
    return adapter;
  }

  /** In the order of the ids. */
  get all(): readonly Adapter[] {
    return this.ids.map((id) => this.for(id));
  }
}
