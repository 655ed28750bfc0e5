import { useEffect } from 'react';
import { asProblem, problemOf } from './problem';
import { accessToken, dropToken } from './token';

interface Upload {
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  readonly body: Blob;
  readonly type: string;
  /** Texts to send beside the file, in a form, since a URL has less room. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Called with the share that has been sent. */
  readonly onProgress: (share: number) => void;
}

/** Sends a file, and tells how much of it has been sent, which `fetch` cannot. Asks for log-in when the session has ended. @throws Problem */
export async function upload<Answer>(wanted: Upload): Promise<Answer> {
  for (let again = 0; ; again += 1) {
    const request = await sent(wanted, await accessToken());
    if (request.status >= 200 && request.status < 300) return request.response as Answer;
    if (request.status !== 401 || again === 2) throw problemOf(request, request.response);
    dropToken();
  }
}

function sent({ path, body, type, fields = {}, onProgress }: Upload, token: string): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1${path}`);
    request.responseType = 'json';
    request.setRequestHeader('authorization', `Bearer ${token}`);
    const texts = Object.entries(fields);
    const form = new FormData();
    for (const [name, text] of texts) form.append(name, text);
    form.append('file', body);
    // The browser names the boundary of a form itself.
    if (texts.length === 0) request.setRequestHeader('content-type', type);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => reject(asProblem(new TypeError('network'))));
    request.send(texts.length === 0 ? body : form);
  });
}

/** Lets the browser ask before somebody closes or reloads the page, which would end what is being sent. */
export function useBrowserAsks(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
}
