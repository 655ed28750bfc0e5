/** `chrome.storage.local` as the client uses it. */
export class LocalStorage {
  readonly items: Record<string, unknown> = {};

  get(key: string): Promise<Record<string, unknown>> {
    return Promise.resolve(key in this.items ? { [key]: structuredClone(this.items[key]) } : {});
  }

  set(items: Record<string, unknown>): Promise<void> {
    Object.assign(this.items, structuredClone(items));
    return Promise.resolve();
  }

  remove(key: string): Promise<void> {
    delete this.items[key];
    return Promise.resolve();
  }
}
