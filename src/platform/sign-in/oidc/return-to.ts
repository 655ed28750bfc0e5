/** The page for a browser that asked for no other, or for an unsafe one. */
const HOME = '/';
const MAX_LENGTH = 1000;

/**
 * Returns where a browser may go after it signed in: a path of this service with query and fragment, else the start page. Everything that a
 * browser could read as another host, such as `//host`, `/\host` or a path with control characters, leads to the start page.
 */
export function safeReturnTo(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > MAX_LENGTH || !/^\/(?![/\\])[!-[\]-~]*$/.test(wanted)) return HOME;
  return wanted;
}
