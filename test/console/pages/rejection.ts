import type { Locator, Page } from 'playwright-core';

/** What the page of a rejected version tells and offers. */
export class RejectionPages {
  constructor(private readonly page: Page) {}

  readonly heading = this.page.getByRole('heading', { name: /^What .+ says$/ });
  readonly reason = this.page.getByLabel('What its mail or dashboard says');
  readonly save = this.page.getByRole('button', { name: 'Save', exact: true });
  readonly edit = this.page.getByRole('button', { name: 'Edit', exact: true });
  readonly recorded = this.page.locator('blockquote');
  readonly dialog = this.page.getByRole('dialog');
  readonly button = (name: string): Locator => this.page.getByRole('button', { name, exact: true });

  /** What changed of one kind, such as `Files`. */
  readonly changes = (kind: string): Locator => this.page.getByRole('list', { name: kind });
}
