import type { Locator, Page } from 'playwright-core';

/** The pages of an extension: its versions at each store, a version's way, a push, and the settings of a target. */
export class ExtensionPages {
  constructor(private readonly page: Page) {}

  readonly title = (name: string): Locator => this.page.getByRole('heading', { level: 1, name });
  readonly stores = this.page.getByRole('table', { name: 'Stores' });
  readonly versions = this.page.getByRole('table', { name: 'Versions at each store' });
  readonly timeline = this.page.getByRole('table', { name: 'Timeline' });
  readonly settings = this.page.getByRole('form', { name: 'Settings' });
  readonly dialog = this.page.getByRole('dialog');
  readonly save = this.settings.getByRole('button', { name: 'Save' });

  /** The way of a version into a store. */
  readonly way = (store: string): Locator => this.page.getByRole('region', { name: store });

  /** Chooses what to do at a store from its menu. */
  async choose(store: string, action: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${store}` }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Chooses a package in the page of a push. */
  async package(version: string, buffer: Buffer): Promise<void> {
    const input = this.page.locator('input[type=file]').first();
    await input.setInputFiles({ name: `owl-${version}.zip`, mimeType: 'application/zip', buffer });
  }
}
