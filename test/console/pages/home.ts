import type { Locator, Page } from 'playwright-core';

/** The home page, and the search that opens over any page. */
export class Home {
  readonly matrix: Locator;
  readonly needs: Locator;
  readonly search: Locator;
  readonly found: Locator;
  readonly nameOfNew: Locator;

  constructor(private readonly page: Page) {
    this.matrix = page.getByRole('table', { name: 'Extensions' });
    this.needs = page.getByRole('region', { name: /^Needs you/ }).getByRole('listitem');
    this.search = page.getByRole('combobox', { name: 'Search' });
    this.found = page.getByRole('option');
    this.nameOfNew = page.getByRole('dialog').getByLabel('Name of the extension');
  }

  /** The row of an extension. */
  row(name: string): Locator {
    return this.matrix.getByRole('row').filter({ hasText: name });
  }

  /** Registers one more extension. */
  async register(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Register an extension' }).click();
    await this.nameOfNew.fill(name);
    await this.page.getByRole('button', { name: 'Register', exact: true }).click();
  }

  /** Searches by keyboard, and waits for something to be found. */
  async searchFor(text: string): Promise<void> {
    await this.page.keyboard.press('/');
    await this.search.fill(text);
    await this.found.first().waitFor();
  }
}
