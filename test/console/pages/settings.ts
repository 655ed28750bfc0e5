import type { Locator, Page } from 'playwright-core';

/** The pages of the settings. */
export class Settings {
  constructor(private readonly page: Page) {}

  /** Opens a part by its tab. */
  async open(part: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: part }).click();
    await this.heading(part).waitFor();
  }

  readonly heading = (name: string): Locator => this.page.getByRole('heading', { level: 1, name });
  readonly button = (name: string): Locator => this.page.getByRole('button', { name, exact: true });
  readonly row = (table: string, text: string): Locator =>
    this.page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });

  /** The dialog that is on top. */
  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** Adds a credential of a store. @param values by the names of their fields */
  async addCredential(store: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.button('Add a credential').click();
    const form = this.dialog('Add a credential');
    await form.getByRole('combobox').click();
    await this.page.getByRole('option', { name: store }).click();
    for (const [name, value] of Object.entries(values)) await form.getByLabel(name, { exact: true }).fill(value);
    await form.getByRole('button', { name: 'Check and save' }).click();
    await form.waitFor({ state: 'detached' });
  }

  /** The names of the parts that this person sees. */
  parts(): Promise<readonly string[]> {
    return this.page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents();
  }

  /** Types the name that a dialog asks for, and presses its button. */
  async confirm(dialog: string, name: string, action: string): Promise<void> {
    await this.dialog(dialog).getByLabel(`Type “${name}” to confirm`).fill(name);
    await this.dialog(dialog).getByRole('button', { name: action }).click();
    await this.dialog(dialog).waitFor({ state: 'detached' });
  }
}
