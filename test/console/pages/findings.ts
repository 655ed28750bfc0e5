import type { Locator, Page } from 'playwright-core';

/** What stores do not accept in a package: before and after a push, and on the version's page. */
export class FindingsPages {
  constructor(private readonly page: Page) {}

  readonly heading = this.page.getByRole('heading', { name: 'What the stores do not accept' });
  readonly pushed = this.page.getByRole('region', { name: /^Pushed / });
  readonly dialog = this.page.getByRole('dialog');

  /** The findings of a store. */
  readonly of = (store: string): Locator => this.page.getByRole('region', { name: `Findings of ${store}` });

  /** A finding of a store. */
  readonly one = (store: string, words: string): Locator =>
    this.of(store).getByRole('listitem').filter({ hasText: words });

  /** The button that sends a version despite a finding. */
  readonly send = (finding: Locator): Locator => finding.getByRole('button', { name: 'Send it all the same' });
}
