import type { World } from '../support/app.js';

/** An event of a stream, with when it came by the machine's clock. */
export interface Heard {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
  readonly at: number;
}

/** Somebody who listens to `GET /stream`. */
export class Listening {
  readonly heard: Heard[] = [];
  /** Resolved when the stream has ended, by whichever side. */
  readonly ended: Promise<void>;
  private readonly waiting = new Set<() => void>();

  private constructor(
    response: Response,
    private readonly aborting: AbortController,
  ) {
    this.ended = this.read(response).catch(() => undefined);
  }

  /** Listens, from the moment on from which everything is told. */
  static async to(world: Pick<World, 'url'>, token: string): Promise<Listening> {
    const aborting = new AbortController();
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const response = await fetch(`${world.url}/api/v1/stream`, { headers, signal: aborting.signal });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    const listening = new Listening(response, aborting);
    await listening.hears(({ type }) => type === 'ready');
    return listening;
  }

  /** Waits for an event. @throws Error with what was heard instead, after five seconds */
  async hears(wanted: (event: Heard) => boolean): Promise<Heard> {
    const until = Date.now() + 5000;
    for (;;) {
      const found = this.heard.find(wanted);
      if (found !== undefined) return found;
      const left = until - Date.now();
      if (left <= 0) throw new Error(`Heard only ${JSON.stringify(this.heard)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Waits for a change of a collection. */
  change(resource: string): Promise<Heard> {
    return this.hears(({ type, data }) => type === 'change' && data['resource'] === resource);
  }

  /** The collections that were told of so far, in their order. */
  get resources(): readonly (string | undefined)[] {
    return this.heard.filter(({ type }) => type === 'change').map(({ data }) => data['resource']);
  }

  async leave(): Promise<void> {
    this.aborting.abort();
    await this.ended;
  }

  private async read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.note(block);
      // Leaves the connection too: one that is kept for the next request keeps a process that stops waiting.
      if (this.heard.at(-1)?.type === 'end') break;
    }
  }

  private note(block: string): void {
    const type = /^event: (.*)$/m.exec(block)?.[1];
    if (type === undefined) return;
    this.heard.push({ type, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}'), at: Date.now() });
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
}
