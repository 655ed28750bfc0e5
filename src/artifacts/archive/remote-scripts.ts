const OPENING = /<!--|<script(?=[\s/>])/gi;
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const CLOSING = /<\/script/gi;
const ELSEWHERE = /^(?:https?:)?\/\//i;

/** The addresses from which a page loads scripts of other hosts. Takes time by the length of the page. Pure. */
export function remoteScriptsIn(html: string): readonly string[] {
  const found: string[] = [];
  const skipTo = (form: RegExp | string, from: number): number => {
    if (typeof form === 'string') return html.indexOf(form, from);
    form.lastIndex = from;
    return form.exec(html)?.index ?? -1;
  };
  for (let at = skipTo(OPENING, 0); at !== -1; at = skipTo(OPENING, at)) {
    const isComment = html.startsWith('<!--', at);
    const { source, end } = isComment ? { source: '', end: at + 4 } : attributesAt(html, at + '<script'.length);
    if (ELSEWHERE.test(source)) found.push(source);
    at = isComment ? skipTo('-->', end) : skipTo(CLOSING, end);
    if (at === -1) break;
  }
  return found;
}

/** The `src` among the attributes at a place, of which the first counts, and where they end. */
function attributesAt(html: string, from: number): { readonly source: string; readonly end: number } {
  let source: string | undefined;
  let end = from;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const attribute = ATTRIBUTE.exec(html);
    if (attribute === null) return { source: source ?? '', end };
    const [text, name = '', double, single, bare] = attribute;
    if (name.toLowerCase() === 'src') source ??= (double ?? single ?? bare ?? '').trim();
    end += text.length;
  }
}
