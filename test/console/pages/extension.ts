import type { Locator, Page } from 'playwright-core';

/** The pages of an extension: its versions at each store, a version's way, a push, and the settings of a target. */
export class ExtensionPages {
  constructor(private readonly page: Page) {}

  readonly title = (name: string): Locator => this.page.getByRole('heading', { level: 1, name });
  readonly stores = this.page.getByRole('list', { name: 'Stores' });
  readonly versions = this.page.getByRole('table', { name: 'Versions at each store' });
  readonly timeline = this.page.getByRole('table', { name: 'Timeline' });
  readonly settings = this.page.getByRole('form', { name: 'Settings' });
  readonly everyone = this.settings.getByRole('checkbox', { name: 'Offer new versions to everyone at once' });
  readonly dialog = this.page.getByRole('dialog');
  readonly save = this.settings.getByRole('button', { name: 'Save' });

  /** The way of a version into a store. */
  readonly way = (store: string): Locator => this.page.getByRole('region', { name: store });

  /** Opens the settings of the extension as a whole. */
  async openSettings(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Extension' }).getByRole('link', { name: 'Settings' }).click();
    await this.settings.waitFor();
  }

  /** What can be done at a store, by the words of its button. */
  readonly act = (store: string, action: string): Locator =>
    this.page.getByRole('button', { name: `${action}: ${store}`, exact: true });

  /** Chooses what to do at a store from its menu. */
  async choose(store: string, action: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${store}` }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** The share of the users who get new versions first, where not everyone does. */
  async share(): Promise<Locator> {
    await this.everyone.waitFor();
    if (await this.everyone.isChecked()) await this.everyone.click();
    return this.settings.getByLabel('Percent of users');
  }

  /** Opens the settings of a store. */
  async openStore(store: string): Promise<void> {
    await this.stores.getByRole('link', { name: store, exact: true }).click();
    await this.title(store).waitFor();
  }

  async select(field: string, option: string | RegExp): Promise<void> {
    await this.settings.getByRole('combobox', { name: field }).click();
    await this.page.getByRole('option', { name: option }).click();
  }

  /** Chooses a package in the page of a push. */
  async package(version: string, buffer: Buffer): Promise<void> {
    const input = this.page.locator('input[type=file]').first();
    await input.setInputFiles({ name: `owl-${version}.zip`, mimeType: 'application/zip', buffer });
  }

  /** Chooses the sources of the package, for stores that want them. */
  async sources(buffer: Buffer): Promise<void> {
    const input = this.page.getByLabel(/^Sources/);
    await input.setInputFiles({ name: 'owl-sources.zip', mimeType: 'application/zip', buffer });
  }
}
