/** A stand-in's answer. Handlers return it and never use the socket, so that a fault can drop or replace it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sent instead of the body when the content is not text. */
  readonly bytes?: Buffer;
}

/** The media type of JSON at Google and AMO. */
export const JSON_TYPE = 'application/json; charset=UTF-8';

/** A JSON answer. */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: `${JSON.stringify(value, null, 2)}\n` };
}

/** An answer of any other media type. */
export function textAnswer(status: number, contentType: string, body: string): Answer {
  return { status, headers: { 'Content-Type': contentType }, body };
}

/** An error of the store, thrown by its checks and state machines and sent unchanged. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly answer: Answer,
    message: string,
  ) {
    super(message);
  }
}
