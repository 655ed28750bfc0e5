/** A URL without the slashes at its end. Without `/\/+$/`, which takes the square of the slashes in a text that ends in something else. */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
