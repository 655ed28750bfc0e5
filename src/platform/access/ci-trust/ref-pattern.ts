/**
 * Whether a name, such as `refs/tags/v1.2.0`, fits a pattern: the same text, in which each `*` matches any characters except `/`.
 * Its time grows with the lengths, not with the number of stars. Pure.
 */
export function fitsPattern(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.split('/'), name.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => fitsPart(part, given[at] ?? ''));
}

/** The first text must begin the part, the last one end it, and those between follow in order, each as early as it can. */
function fitsPart(pattern: string, part: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return part === first;
  if (part.length < first.length + last.length || !part.startsWith(first) || !part.endsWith(last)) return false;
  const end = part.length - last.length;
  let at = first.length;
  for (const text of others) {
    const found = part.indexOf(text, at);
    if (found === -1 || found + text.length > end) return false;
    at = found + text.length;
  }
  return true;
}
