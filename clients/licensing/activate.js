// Content script of the page that the button of a buyer's mail opens: hands its code to the extension, and tells the page what came of it.
{
  const { runtime } = globalThis.browser ?? globalThis.chrome;
  const shown = document.getElementById('pierhead-code');
  const ask = async (replaces) => {
    const message = { pierheadCode: shown.textContent, replaces };
    shown.dataset.reason = (await runtime.sendMessage(message).catch(() => null)) ?? 'unavailable';
    shown.dispatchEvent(new Event('pierhead'));
  };
  if (shown?.textContent) {
    // Only a person replaces a license, and no script of a page.
    document
      .getElementById('pierhead-replace')
      .addEventListener('click', ({ isTrusted }) => void (isTrusted && ask(true)));
    void ask(false);
  }
}
