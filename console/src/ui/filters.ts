import { useSearchParams } from 'wouter';

/**
 * The filters of a page, which its address has, so that a reload or a link keeps them. Returns them and how to set one; an empty value removes it.
 * @param options `replace` for filters that are typed: the browser's history then has one entry for all letters
 */
export function useFilters(
  options: { readonly replace?: boolean } = {},
): readonly [URLSearchParams, (name: string, value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    }, options);
  return [search, set];
}
