// The process of `npm run states`: a service whose workspaces are in the states, and a page that leads to each of them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startWorld } from '../../support/app.js';
import { Line } from '../../support/line.js';
import { makeStates } from './states.js';

// The service has to know its own address before it has one.
const line = await Line.open();
const world = await startWorld({ env: { PUBLIC_URL: line.url, DEFAULT_TENANT_QUOTA: 'unlimited' } });
line.leadTo(world.url);
const states = await makeStates(world, Date.now());

const page = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>States of the console</title>
<h1>States of the console</h1>
<dl>${states.map(({ name, meaning }) => `<dt><a href="/${name}">${name}</a></dt><dd>${meaning}</dd>`).join('')}</dl>
</html>`;

// A cookie counts for all ports of a host, so that this page logs in at the service.
const server = createServer(({ url }, response) => {
  const state = states.find(({ name }) => url === `/${name}`);
  if (state === undefined) response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  else {
    const cookie = `${state.as.cookie}; Path=/; HttpOnly; SameSite=Lax`;
    response
      .writeHead(303, { location: `${line.url}${state.path}`, 'set-cookie': cookie, 'cache-control': 'no-store' })
      .end();
  }
}).listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
await once(server, 'listening');
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });

// The script that started this process has ended.
process.once('disconnect', () => process.exit());
