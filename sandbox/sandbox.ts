import { setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { createChrome } from './chrome/chrome.js';
import { controlPlane, seedDemo } from './control-plane.js';
import { createEdge } from './edge/edge.js';
import { FaultRegistry } from './faults.js';
import { createFirefox } from './firefox/firefox.js';
import { page, refuseOtherSites } from './page.js';
import { createPayments } from './payments/payments.js';
import { KeptPackages } from './kept-packages.js';
import { RequestLog } from './request-log.js';
import { createSafari } from './safari/safari.js';
import { SimClock } from './sim-clock.js';
import type { StandIn } from './stand-in.js';
import { RequestDispatcher } from './request-dispatcher.js';

/** How a sandbox is started. */
export interface SandboxOptions {
  /** `0`, the default, takes a free one. */
  readonly port?: number;
  /** Folder of packages while they are read; by default the system's temporary directory. */
  readonly tempDir?: string;
}

/** A running sandbox. */
export interface Sandbox {
  /** The origin, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** The settings with which Pierhead uses the sandbox, by name. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates one account and one item for each store, and returns what a client needs to use them. */
  seedDemo(): Promise<Record<string, unknown>>;
  /** Stops listening, closes open connections and removes temporary files. */
  close(): Promise<void>;
}

/** The stand-ins of all stores and payment processors behind one HTTP server, which does not listen yet. */
export interface AssembledSandbox {
  readonly server: Server;
  /** The settings with which Pierhead uses the sandbox at an origin, by name. */
  envAt(origin: string): Readonly<Record<string, string>>;
  seedDemo(): Promise<Record<string, unknown>>;
  /** Ends delayed answers, and removes temporary files when the server has stopped. */
  dispose(stopped?: Promise<void>): Promise<void>;
}

/** Makes the stand-ins and their server. @param tempDir where packages are stored while they are read */
export async function assembleSandbox(tempDir = tmpdir()): Promise<AssembledSandbox> {
  const scratch = await mkdtemp(join(tempDir, 'pierhead-sandbox-'));
  const clock = new SimClock();
  const kept = new KeptPackages();
  const faults = new FaultRegistry();
  const log = new RequestLog();
  const closing = new AbortController();
  // Each delayed call listens.
  setMaxListeners(0, closing.signal);
  const standIns: readonly StandIn[] = [
    createChrome({ clock, scratch, kept }),
    createFirefox({ clock, scratch }),
    createEdge({ clock, scratch, kept }),
    // App Store Connect is last, because it answers all other paths below /v1.
    ...createPayments(),
    createSafari({ clock }),
  ];
  const dispatcher = new RequestDispatcher(standIns, faults, log, clock, closing.signal);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/__sim', refuseOtherSites, controlPlane({ standIns, faults, log, clock }));
  app.use(page());
  app.use(dispatcher.router());

  const server = createServer(app);
  // Closing idle connections could break a client that reuses one at that moment.
  server.keepAliveTimeout = 0;
  return {
    server,
    envAt: (origin) => Object.fromEntries(standIns.flatMap((standIn) => Object.entries(standIn.env(origin)))),
    seedDemo: () => seedDemo(standIns),
    dispose: async (stopped) => {
      closing.abort();
      await stopped;
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Starts the stand-ins of all stores and payment processors on one port of 127.0.0.1. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const assembled = await assembleSandbox(options.tempDir);
  const { server } = assembled;
  const port = await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await assembled.dispose();
    throw error;
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    env: assembled.envAt(url),
    seedDemo: () => assembled.seedDemo(),
    close: () => assembled.dispose(stop(server)),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
