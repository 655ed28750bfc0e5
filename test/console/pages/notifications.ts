import type { Page } from 'playwright-core';

/** The page of who is told what happens. */
export class Notifications {
  constructor(private readonly page: Page) {}

  readonly heading = () => this.page.getByRole('heading', { level: 1, name: 'Notifications' });
  readonly dialog = () => this.page.getByRole('dialog');
  readonly secret = () => this.page.getByRole('alertdialog', { name: 'The webhook’s secret' });
  readonly endpoint = (place: string) =>
    this.page.getByRole('table', { name: 'Endpoints' }).getByRole('row').filter({ hasText: place });
  readonly deliveries = () => this.page.getByRole('table', { name: 'Deliveries' }).locator('tbody').getByRole('row');

  async add(kind: 'Webhook' | 'E-mail', place: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add endpoint' }).click();
    if (kind === 'E-mail') {
      await this.dialog().getByRole('combobox', { name: 'Kind' }).click();
      await this.page.getByRole('option', { name: kind }).click();
    }
    await this.dialog()
      .getByLabel(kind === 'Webhook' ? 'URL' : 'E-mail address')
      .fill(place);
    await this.dialog().getByRole('button', { name: 'Add endpoint' }).click();
  }

  /** Chooses what stands behind the three dots of an endpoint. */
  async act(place: string, action: string): Promise<void> {
    await this.endpoint(place)
      .getByRole('button', { name: `More for ${place}` })
      .click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  async filter(field: 'Endpoint' | 'Outcome', option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: field }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }
}
