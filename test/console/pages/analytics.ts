import type { Download, Locator, Page } from 'playwright-core';

/** The page of installs: who has the extension, which versions they run, and where they come from. */
export class Analytics {
  constructor(private readonly page: Page) {}

  readonly heading = () => this.page.getByRole('heading', { level: 1, name: 'Analytics' });
  readonly figure = (label: string) =>
    this.page.locator('dl > div', { has: this.page.getByText(label, { exact: true }) }).locator('dd');
  readonly plot = (title: string) => this.page.getByRole('figure', { name: title, exact: true });
  /** What arrow keys move through, day by day. */
  readonly days = (title: string) => this.plot(title).getByRole('slider');
  readonly table = (title: string) => this.plot(title).getByRole('table');
  readonly shares = (title: string) => this.page.getByRole('region', { name: title, exact: true });

  /** Until every plot of the page is drawn. */
  async drawn(...titles: readonly string[]): Promise<void> {
    for (const title of titles) await this.days(title).locator('canvas').waitFor();
  }

  async choose(field: 'Extension' | 'Days' | 'Figure', option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: field }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** Presses what saves a file. */
  async saved(button: Locator): Promise<Download> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), button.click()]);
    return download;
  }

  readonly saveCsv = () => this.saved(this.page.getByRole('button', { name: 'Save as CSV' }));
  readonly savePicture = (title: string) => this.saved(this.plot(title).getByRole('button', { name: 'PNG' }));
}
