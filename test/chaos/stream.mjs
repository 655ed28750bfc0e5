// A reader of the stream of changes, as the console is one: it connects again whenever the stream ends.
import { request } from 'node:http';
import { addressOf, judge } from './client.mjs';

const AGAIN_MS = 300;

/** @returns {{ close: () => void }} */
export function listen(origin, number, token, hear) {
  let isClosed = false;
  let asked;
  const again = () => {
    if (!isClosed) setTimeout(connect, AGAIN_MS);
  };
  function connect() {
    if (isClosed) return;
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    asked = request(
      `${origin}/api/v1/stream`,
      { headers, localAddress: addressOf(number), agent: false },
      (response) => {
        if (response.statusCode !== 200) judge('A stream', { status: response.statusCode, body: null });
        response.setEncoding('utf8').on('data', (said) => {
          for (const [, name] of said.matchAll(/^event: ?(\w+)$/gm)) hear(name);
        });
        response.on('error', () => undefined);
      },
    );
    asked.on('error', () => undefined).once('close', again);
    asked.end();
  }
  connect();
  return {
    close: () => {
      isClosed = true;
      asked.destroy();
    },
  };
}
