/** Calls the control plane. Throws unless a call succeeds. */
export class ControlClient {
  constructor(private readonly url: string) {}

  protected async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}/__sim${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /__sim${path}: ${response.status} ${text}`, { cause: text });
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
