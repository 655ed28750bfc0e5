import type { Download, Locator, Page } from 'playwright-core';

/** The page of installs: who has the extension, which versions they run, and where they come from. */
export class Analytics {
  constructor(private readonly page: Page) {}

  readonly heading = () => this.page.getByRole('heading', { level: 1, name: 'Analytics' });
  /** A figure with its change, which switches the plot. */
  readonly card = (label: string) =>
    this.page.getByRole('group', { name: 'Figures' }).getByRole('button', { name: label });
  readonly plot = (title: string) => this.page.getByRole('figure', { name: title, exact: true });
  /** What arrow keys move through, day by day. */
  readonly days = (title: string) => this.plot(title).getByRole('slider');
  readonly table = (title: string) => this.plot(title).getByRole('table');
  readonly shares = (title: string) => this.page.getByRole('region', { name: title, exact: true });

  /** Until every plot of the page is drawn. */
  async drawn(...titles: readonly string[]): Promise<void> {
    for (const title of titles) await this.days(title).locator('canvas').waitFor();
  }

  /** The installs with one value, which a click looks at alone. */
  readonly row = (title: string, value: string) => this.shares(title).getByRole('button', { name: value, exact: true });
  readonly filters = () => this.page.getByRole('group', { name: 'Filters' });
  /** Presses one choice of a few. */
  readonly press = (group: string, choice: string): Promise<void> =>
    this.page.getByRole('group', { name: group }).getByRole('button', { name: choice, exact: true }).click();

  async choose(field: 'Extension' | 'Figure', option: string): Promise<void> {
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
