import type { Page } from 'playwright-core';

/** The checklist of a new tenant. */
export class Start {
  constructor(private readonly page: Page) {}

  /** Waits until a step is the next. */
  async step(form: string): Promise<void> {
    await this.page.getByRole('form', { name: form }).waitFor();
  }

  async register(name: string): Promise<void> {
    await this.page.getByLabel('Name of the extension').fill(name);
    await this.page.getByRole('button', { name: 'Register' }).click();
  }

  /** Gives the key as the file that Google makes. */
  async giveChromeKey({
    publisherId,
    serviceAccount,
  }: {
    readonly publisherId: string;
    readonly serviceAccount: object;
  }): Promise<void> {
    await this.page.getByLabel('Publisher id').fill(publisherId);
    const buffer = Buffer.from(JSON.stringify(serviceAccount));
    await this.page.getByLabel('Key file').setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer });
    await this.page.getByRole('button', { name: 'Check and save' }).click();
  }

  async nameItem(idOrUrl: string): Promise<void> {
    await this.page.getByLabel('Item id').fill(idOrUrl);
    await this.page.getByRole('button', { name: 'Publish there' }).click();
  }
}
