import type { Locator, Page } from 'playwright-core';

/** The license desk: the list, one license, and the dialogs of both. */
export class Licenses {
  constructor(private readonly page: Page) {}

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** The row of a license. */
  row(text: string): Locator {
    return this.page.getByRole('table', { name: 'Licenses' }).getByRole('row').filter({ hasText: text });
  }

  async find(text: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Find' }).fill(text);
    await this.page.getByRole('searchbox', { name: 'Find' }).press('Enter');
  }

  async choose(label: string, option: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).last().click();
    await this.page.getByRole('option', { name: option }).click();
  }

  async more(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'More', exact: true }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Presses a button of the dialog that is open. */
  async press(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name }).click();
  }

  /** Types the name that a dialog asks for, and presses its button. */
  async confirm(name: string, action: string): Promise<void> {
    await this.dialog.getByLabel(`Type “${name}” to confirm`).fill(name);
    await this.press(action);
  }

  /** Waits until something is announced. */
  async says(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async isHeaded(name: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
  }
}
