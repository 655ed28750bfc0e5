import type { OpenAPIObject } from '@nestjs/swagger';
import { Contract } from './contract.js';

/** Who asks: a token, a session, both, or nobody. */
export interface Identity {
  readonly token?: string;
  readonly cookie?: string;
}

/** An answer of the service, already held against `openapi.json`. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What was asked for, its query included. */
  readonly path: string;
  // Test code reads what it expects; that the shape is the promised one has been checked before.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Reads a stream of events up to the end of the first one, and leaves it. */
async function firstEventOf({ body }: Response): Promise<string> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (/\ndata: .*\n\n/.test(text)) break;
  }
  return text;
}

type Body = NonNullable<RequestInit['body']>;

interface Extra {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of as JSON. */
  readonly raw?: Body;
}

/**
 * Talks to the service over HTTP. Every answer of a route is checked: an undocumented status, problem code or body fails the test.
 */
export class Api {
  private readonly contract: Contract;

  constructor(
    private readonly url: string,
    document: OpenAPIObject,
    private readonly identity: Identity = {},
    contract?: Contract,
  ) {
    this.contract = contract ?? Contract.of(document);
  }

  as(identity: Identity): Api {
    return new Api(this.url, {} as OpenAPIObject, identity, this.contract);
  }

  get(path: string, extra?: Extra): Promise<Answer> {
    return this.call('GET', path, undefined, extra);
  }

  post(path: string, body?: unknown, extra?: Extra): Promise<Answer> {
    return this.call('POST', path, body, extra);
  }

  patch(path: string, body?: unknown, extra?: Extra): Promise<Answer> {
    return this.call('PATCH', path, body, extra);
  }

  delete(path: string, extra?: Extra): Promise<Answer> {
    return this.call('DELETE', path, undefined, extra);
  }

  /** Pushes a package. */
  push(query: Readonly<Record<string, string>>, zip?: Body, type = 'application/zip'): Promise<Answer> {
    const search = new URLSearchParams(query).toString();
    return this.call(
      'POST',
      `/artifacts?${search}`,
      undefined,
      zip === undefined ? {} : { raw: zip, headers: { 'content-type': type } },
    );
  }

  /** @param path below `/api/v1`, or absolute when it begins with `//` */
  async call(method: string, path: string, body?: unknown, extra: Extra = {}): Promise<Answer> {
    const { token, cookie } = this.identity;
    const pathname = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
    const response = await fetch(`${this.url}${pathname}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(cookie === undefined ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra.headers,
      },
      ...(extra.raw === undefined
        ? body === undefined
          ? {}
          : { body: JSON.stringify(body) }
        : { body: extra.raw, duplex: 'half' }),
    });
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    const text = isStream ? await firstEventOf(response) : await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      path: pathname,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
    this.contract.check(method, pathname.split('?')[0] ?? '', answer);
    return answer;
  }
}
