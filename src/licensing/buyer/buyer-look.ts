import { branded, markup, EMPTY_HTML, type Html, type PageLook } from '../../common/http/index.js';
import type { Brand } from '../branding/index.js';

/** The look of a page about one seller; the look of the service without a brand. Pure. */
export function lookOf(brand: Brand | null): PageLook {
  if (brand === null) return {};
  return { header: headerOf(brand), footer: footerOf(brand), style: styleOf(brand, ':root'), ...iconOf([brand]) };
}

/** The look of a page about several sellers, each with an element of its own class. Pure. */
export const lookOfSeveral = (brands: readonly (Brand | null)[]): PageLook => ({
  style: brands.map((brand, at) => (brand === null ? '' : styleOf(brand, `.${sellerClass(at)}`))).join(''),
  ...iconOf(brands),
});

function iconOf(brands: readonly (Brand | null)[]): Pick<PageLook, 'icon'> {
  const icon = brands.map((brand) => brand?.logo ?? null).find((logo) => logo !== null);
  return icon === undefined ? {} : { icon };
}

/** The class of the element for the seller at an index of the `brands` of `lookOfSeveral`. */
export const sellerClass = (at: number): string => `seller-${at}`;

/** A seller's logo and name. Pure. */
export function headerOf({ name, logo }: Brand): Html {
  if (name === null && logo === null) return EMPTY_HTML;
  // The alternative text is empty, because the name follows the picture.
  const picture = logo === null ? EMPTY_HTML : markup`<img src="${logo}" alt="" />`;
  return markup`<p class="brand">${picture}${name === null ? EMPTY_HTML : markup`<bdi>${name}</bdi>`}</p>`;
}

/** The link to a seller's support. Pure. */
export function footerOf({ name, support }: Brand): Html {
  if (support === null) return EMPTY_HTML;
  const { href, label } = support;
  const contact = name === null ? EMPTY_HTML : markup` Ask <bdi>${name}</bdi>:`;
  return markup`<p>Questions?${contact} <a href="${href}" rel="noreferrer">${label}</a></p>`;
}

const styleOf = ({ accent }: Brand, selector: string): string => (accent === null ? '' : branded(selector, accent));
