// Bare node:http that reads a JSON body and gives a constant answer: how fast the loader is, since nothing answers sooner.
import http from 'node:http';

const ANSWER = JSON.stringify({ isActive: true, tier: 'pro' });
const HEAD = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) };

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, HEAD).end(ANSWER);
  });
});

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
