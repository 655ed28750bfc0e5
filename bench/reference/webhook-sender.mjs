// Posts as many signed notifications as it is told, four at a time. Its arguments: the receiver's URL, and how many.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';

const [url, count] = process.argv.slice(2);
const secret = randomBytes(32);
let left = Number(count);

async function post() {
  while (left > 0) {
    left -= 1;
    const [id, seconds] = [randomUUID(), Math.floor(Date.now() / 1000)];
    const body = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: { id } });
    const signature = `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
    };
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
  }
}

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
process.send(0);
await Promise.all(Array.from({ length: 4 }, post));
