/** Elements in which a browser runs no script: their content is text, or waits for a script of the page that copies it. */
const INERT = ['template', 'textarea', 'title', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'];
const OPENING = new RegExp(String.raw`<!--|<(script|${INERT.join('|')})(?=[\s/>])`, 'gi');
const CLOSING = new Map(['script', ...INERT].map((name) => [name, new RegExp(`</${name}`, 'gi')]));
/** Also of a comment that ends where it begins, such as `<!-->`. */
const COMMENT_END = /--!?>/g;
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const ELSEWHERE = /^(?:https?:)?\/\//i;
/** Types of a script that a browser runs; it keeps any other as data (https://mimesniff.spec.whatwg.org/#javascript-mime-type). */
const RUNS =
  /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:jscript|livescript|javascript1\.[0-5]))$/i;

/** The addresses from which a page loads scripts of other hosts. Takes time by the length of the page. Pure. */
export function remoteScriptsIn(html: string): readonly string[] {
  const found: string[] = [];
  const next = (form: RegExp, from: number): RegExpExecArray | null => {
    form.lastIndex = from;
    return form.exec(html);
  };
  for (let opening = next(OPENING, 0); opening !== null;) {
    const name = opening[1]?.toLowerCase();
    const end = opening.index + (name === undefined ? '<!'.length : opening[0].length);
    const { attributes, end: after } = name === 'script' ? attributesAt(html, end) : { attributes: null, end };
    const source = attributes?.get('src') ?? '';
    if (ELSEWHERE.test(source) && RUNS.test(attributes?.get('type') ?? '')) found.push(source);
    const closing = next(CLOSING.get(name ?? '') ?? COMMENT_END, after);
    opening = closing === null ? null : next(OPENING, closing.index + closing[0].length);
  }
  return found;
}

/** The attributes at a place, of which the first of a name counts, and where they end. */
function attributesAt(
  html: string,
  from: number,
): { readonly attributes: ReadonlyMap<string, string>; readonly end: number } {
  const attributes = new Map<string, string>();
  let end = from;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const attribute = ATTRIBUTE.exec(html);
    if (attribute === null) return { attributes, end };
    const [text, name = '', double, single, bare] = attribute;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, (double ?? single ?? bare ?? '').trim());
    end += text.length;
  }
}
