import type { Page } from 'playwright-core';

/** The last one is half of 1,280 px, as at 200 % zoom. */
export const WIDTHS = [320, 390, 768, 1280, 1920, 640] as const;

/**
 * What reaches beyond the page, or beyond an open dialog, by its tag, class and text; where a list scrolls by itself, what is in it may.
 */
const BEYOND = `(() => {
  const beyond = (root, end) =>
    [...root.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > end + 1)
      .map((one) => one.tagName + ' ' + one.className + ' ' + (one.textContent ?? '').slice(0, 40));
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')];
  return [
    ...(document.documentElement.scrollWidth > window.innerWidth ? beyond(document.body, window.innerWidth) : []),
    ...dialogs.flatMap((dialog) => {
      const { left, right } = dialog.getBoundingClientRect();
      const isWithin = left >= 0 && right <= window.innerWidth && dialog.scrollWidth <= dialog.clientWidth;
      return isWithin ? [] : ['dialog from ' + left + ' to ' + right, ...beyond(dialog, right)];
    }),
  ];
})()`;

/** What reaches beyond the page or its dialogs at any width, at most three of each. */
export async function beyondAt(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  const wide: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const one of (await page.evaluate<readonly string[]>(BEYOND)).slice(0, 3)) wide.push(`at ${width} px: ${one}`);
  }
  if (before !== null) await page.setViewportSize(before);
  return wide;
}
