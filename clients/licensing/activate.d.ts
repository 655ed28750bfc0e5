/** Content script of the page that the button of a buyer's mail opens: hands its code to `activateByLink` in the service worker. */
// oxlint-disable-next-line unicorn/require-module-specifiers -- An import needs a module, and this one exports nothing.
export {};
