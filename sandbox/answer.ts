/** What a stand-in says back: handlers return it and never touch the socket, so that a fault can swallow or replace it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sent in place of the body where that would be no text. */
  readonly bytes?: Buffer;
}

/** The media type Google and AMO put on JSON. */
export const JSON_TYPE = 'application/json; charset=UTF-8';

/** A JSON answer. */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: `${JSON.stringify(value, null, 2)}\n` };
}

/** An answer of any other media type. */
export function textAnswer(status: number, contentType: string, body: string): Answer {
  return { status, headers: { 'Content-Type': contentType }, body };
}

/** A store's "no", thrown by gates and state machines and sent as it stands. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly answer: Answer,
    message: string,
  ) {
    super(message);
  }
}
