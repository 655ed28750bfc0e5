import { startWorld, type World } from './app.js';
import { SmtpServer } from './smtp-server.js';

interface MailingWorld {
  readonly smtp: SmtpServer;
  readonly world: World;
}

/** Starts a service with a mail server of its own, which closes with it. */
export async function startMailingWorld(env: Readonly<Record<string, string>> = {}): Promise<MailingWorld> {
  const smtp = await SmtpServer.start();
  const world = await startWorld({ env: { ...smtp.env, ...env } });
  const close = world.close.bind(world);
  return { smtp, world: Object.assign(world, { close: () => close().then(() => smtp.close()) }) };
}
