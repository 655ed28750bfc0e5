// Many extensions with a target at each of the sandbox's stores, for what measures or soaks the engine.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import yazl from 'yazl';
import { ROOT } from '../scripts/built.mjs';
import { controlOf, STAND_INS, STORES } from '../scripts/stand-ins.mjs';
import { endLater, LEASHED } from './stage.mjs';

const AT_ONCE = 8;
const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

/** The four stores, in a process of their own. */
export async function startSandbox() {
  const child = spawn(process.execPath, [...LEASHED, join(ROOT, 'scripts/sandbox.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  endLater(child);
  const env = {};
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return { env, sim: controlOf(new URL(env.CHROME_API_URL).origin) };
    const at = line.indexOf('=');
    env[line.slice(0, at)] = line.slice(at + 1);
  }
  throw new Error('The sandbox did not start');
}

const geckoIdOf = (name) => `${name}@bench.example`;

export async function packageOf(name, version) {
  const zip = new yazl.ZipFile();
  const manifest = {
    manifest_version: 3,
    name,
    version,
    browser_specific_settings: { gecko: { id: geckoIdOf(name) } },
  };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  zip.end();
  return Buffer.concat(await zip.outputStream.toArray());
}

/** Runs work over items, a few at a time. */
export async function each(items, work) {
  const left = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    }),
  );
}

/** An extension with a target at each of some stores, all if not said; nothing is pinned yet. @returns what the sandbox calls its items */
export async function enrol(tenant, sim, number, { reviewSeconds, version, stores = STORES }) {
  const { body: extension } = await tenant.api('POST', '/extensions', { name: `Extension ${number}` });
  const { body: listed } = await tenant.api('GET', `/extensions/${extension.id}/targets`);
  const items = [];
  for (const store of stores) {
    const credentials = await STAND_INS[store].account(sim, { privateKey });
    const { name, settings } = await STAND_INS[store].item(sim, credentials, { geckoId: geckoIdOf(`owl-${number}`) });
    await STAND_INS[store].review(sim, name, reviewSeconds);
    await STAND_INS[store].deliver?.(sim, name, version);
    const { body: credential } = await tenant.session('POST', '/credentials', { store, credentials });
    const { id } = listed.targets.find((target) => target.store === store);
    const wish = { ...settings, credentialId: credential.id, enabled: true };
    await tenant.api('PATCH', `/extensions/${extension.id}/targets/${id}`, wish);
    items.push({ store, name });
  }
  return { id: extension.id, number, items };
}

/** Pushes a version of an extension, for all its targets. */
export async function push({ api }, { id, number }, version) {
  const query = new URLSearchParams({ extension: id, version });
  await api('POST', `/artifacts?${query}`, await packageOf(`owl-${number}`, version), 'application/zip');
}
