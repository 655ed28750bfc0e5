// What an upload costs at least: bare node:http that hashes a raw body on its way into a file. Started by bench/upload.mjs.
import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Written to disk this many bytes at a time, which measured fastest. */
const WRITE_BYTES = 1024 * 1024;
const [, , folder] = process.argv;

/**
 * Streams a body into a file of its own and has it on the disk before it returns, as a service must that acknowledges it.
 * @param {import('node:http').IncomingMessage} request
 */
async function receive(request) {
  const hash = createHash('sha256');
  const file = await open(join(folder, randomUUID()), 'wx', 0o600);
  try {
    let size = 0;
    let waiting = [];
    let waitingBytes = 0;
    for await (const chunk of request) {
      hash.update(chunk);
      waiting.push(chunk);
      size += chunk.length;
      waitingBytes += chunk.length;
      if (waitingBytes < WRITE_BYTES) continue;
      await file.writev(waiting);
      waiting = [];
      waitingBytes = 0;
    }
    if (waitingBytes > 0) await file.writev(waiting);
    await file.datasync();
    return { sha256: hash.digest('hex'), size };
  } finally {
    await file.close();
  }
}

const server = createServer((request, response) => {
  receive(request).then(
    (received) => response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(received)),
    (error) => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
  );
});

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
