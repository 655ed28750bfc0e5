import type { Download, Locator, Page } from 'playwright-core';
import { Keyboard } from './keyboard.js';

interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Somebody at a page, who does each thing by the means that are theirs. */
export abstract class Hands {
  constructor(readonly page: Page) {}

  /** Presses a button or follows a link. */
  abstract press(target: Locator): Promise<void>;
  /** Ticks a box. */
  abstract tick(box: Locator): Promise<void>;
  /** Types into a field, and replaces what it holds. */
  abstract type(field: Locator, text: string): Promise<void>;
  /** Opens a menu, and chooses from it. */
  abstract choose(menu: Locator, item: string): Promise<void>;
  /** Opens the search of the console. */
  abstract search(): Promise<void>;

  /** Presses what asks for a file, and gives one. */
  async give(field: Locator, file: GivenFile): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.press(field)]);
    await chooser.setFiles(file);
  }

  /** Presses what saves a file. */
  async saved(button: Locator): Promise<Download> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.press(button)]);
    return download;
  }
}

/** Somebody with a mouse, whose clicks are counted. */
export class Mouse extends Hands {
  clicks = 0;

  async press(target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
  }

  tick(box: Locator): Promise<void> {
    return this.press(box);
  }

  async type(field: Locator, text: string): Promise<void> {
    const hasFocus = await field.evaluate((element) => element === element.ownerDocument.activeElement);
    if (!hasFocus) await this.press(field);
    await field.fill(text);
  }

  async choose(menu: Locator, item: string): Promise<void> {
    await this.press(menu);
    await this.press(this.page.getByRole('menuitem', { name: item, exact: true }));
  }

  search(): Promise<void> {
    return this.press(this.page.getByRole('button', { name: /^Search/ }).first());
  }
}

/** Somebody who has no mouse. */
export class Keys extends Hands {
  private readonly keyboard = new Keyboard(this.page);

  press(target: Locator): Promise<void> {
    return this.keyboard.press(target);
  }

  async tick(box: Locator): Promise<void> {
    await this.keyboard.to(box);
    await this.page.keyboard.press('Space');
  }

  type(field: Locator, text: string): Promise<void> {
    return this.keyboard.type(field, text);
  }

  choose(menu: Locator, item: string): Promise<void> {
    return this.keyboard.choose(menu, item);
  }

  search(): Promise<void> {
    return this.page.keyboard.press('/');
  }
}
