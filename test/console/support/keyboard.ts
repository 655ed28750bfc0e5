import type { Locator, Page } from 'playwright-core';

/** Further from the top of a page than anything that a test goes to. */
const MAX_PRESSES = 120;

/** Somebody who has no mouse: goes through a page by the keys that browsers know, and presses what has the focus. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Goes to something by Tab. @throws Error when Tab does not lead there */
  async to(target: Locator): Promise<void> {
    await this.by('Tab', target);
  }

  /** Goes to something by Tab, and presses it. */
  async press(target: Locator): Promise<void> {
    await this.to(target);
    await this.page.keyboard.press('Enter');
  }

  /** Opens a menu, and chooses from it. */
  async choose(menu: Locator, item: string): Promise<void> {
    await this.press(menu);
    await this.take(this.page.getByRole('menuitem', { name: item, exact: true }));
  }

  /** Types into a field. */
  async type(field: Locator, text: string): Promise<void> {
    await this.to(field);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Waits until something has the focus: what closes gives it back a moment later. */
  async at(target: Locator): Promise<void> {
    await target.and(this.page.locator(':focus')).waitFor();
  }

  private async take(wanted: Locator): Promise<void> {
    await wanted.waitFor();
    await this.by('ArrowDown', wanted);
    await this.page.keyboard.press('Enter');
  }

  private hasFocus(target: Locator): Promise<boolean> {
    return target.evaluate((element) => element === element.ownerDocument.activeElement);
  }

  private async by(key: string, target: Locator): Promise<void> {
    await target.waitFor();
    for (let press = 0; press < MAX_PRESSES; press += 1) {
      if (await this.hasFocus(target)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead to ${String(target)}.`);
  }
}
