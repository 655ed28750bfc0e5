// node --import ./test/support/redirect.mjs …: what a program sends to a store goes to the sandbox at STORE_SIM_ORIGIN instead, so that
// clients whose addresses are constants can be run against it. Nothing leaves this machine: any other host is refused.
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';

const STORES = new Set([
  'www.googleapis.com',
  'oauth2.googleapis.com',
  'chromewebstore.googleapis.com',
  'api.addons.microsoftedge.microsoft.com',
  'addons.mozilla.org',
  'api.appstoreconnect.apple.com',
  'itunes.apple.com',
]);
const sandbox = new URL(process.env.STORE_SIM_ORIGIN);
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

const realFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const asked = new Request(input, init);
  const { host, pathname, search } = new URL(asked.url);
  if (!STORES.has(host)) return realFetch(asked);
  const redirected = new Request(new URL(pathname + search, sandbox), asked);
  redirected.headers.set('x-sim-host', host);
  return realFetch(redirected);
};

/** `https.request` in all its forms; a call to a store becomes plain HTTP to the sandbox. */
function request(...given) {
  const respond = given.findLast((one) => typeof one === 'function');
  const [first, second] = given;
  const isAddress = typeof first === 'string' || first instanceof URL;
  const options = {
    ...(isAddress ? urlToHttpOptions(new URL(first)) : first),
    ...(isAddress && typeof second === 'object' ? second : {}),
  };
  const host = options.hostname ?? options.host;
  if (!STORES.has(host)) return realRequest(options, respond);
  const { agent: _agent, servername: _servername, createConnection: _connect, ...rest } = options;
  const { hostname, port } = sandbox;
  const headers = { ...rest.headers, 'x-sim-host': host };
  return http.request({ ...rest, protocol: 'http:', hostname, host: hostname, port, headers }, respond);
}
const realRequest = https.request;
https.request = request;
https.get = (...given) => request(...given).end();

// Named imports of these modules see the change only when told.
syncBuiltinESMExports();

const realConnect = Reflect.get(Socket.prototype, 'connect');
Socket.prototype.connect = function connect(...given) {
  const [first, second] = Array.isArray(given[0]) ? given[0] : given;
  const { host, path } = typeof first === 'object' ? first : { host: typeof second === 'string' ? second : null };
  if (path == null && !LOOPBACK.test(host ?? 'localhost'))
    throw new Error(`Nothing may leave this machine, and not to ${host}`);
  return realConnect.apply(this, given);
};
