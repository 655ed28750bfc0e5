import { createSandbox } from './sandbox.js';

/** `SANDBOX_PORT`, or a free port when it is not set. */
function configuredPort(): number {
  const given = process.env.SANDBOX_PORT ?? '';
  if (given === '') return 0;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  console.error(`SANDBOX_PORT must be a port number from 0 to 65535, not "${given}"`);
  return process.exit(78);
}

try {
  const sandbox = await createSandbox({ port: configuredPort() });
  const stop = (): void => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  for (const [name, value] of Object.entries(sandbox.env)) console.log(`${name}=${value}`);
  console.log(JSON.stringify(await sandbox.seedDemo()));
} catch (error) {
  console.error(`the sandbox could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
