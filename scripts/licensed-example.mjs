// node scripts/licensed-example.mjs URL EXTENSION_ID FOLDER [TIER]: copies examples/licensed-counter to FOLDER, ready to load
// unpacked, together with the client, the public keys that Pierhead at URL signs that extension's leases with, and the address of its
// page that activates.
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [url, extensionId, folder, tier = 'pro'] = process.argv.slice(2);

if (url === undefined || extensionId === undefined || folder === undefined) {
  process.stderr.write('Usage: node scripts/licensed-example.mjs URL EXTENSION_ID FOLDER [TIER]\n');
  process.exit(64);
}
const answer = await fetch(`${url}/api/v1/licensing/keys/${encodeURIComponent(extensionId)}`);
if (!answer.ok) {
  process.stderr.write(`GET ${answer.url} answered ${answer.status}: ${await answer.text()}\n`);
  process.exit(1);
}
const keys = (await answer.json()).keys.map(({ kid, x }) => ({ kid, x }));
await cp(join(ROOT, 'examples/licensed-counter'), folder, { recursive: true });
await copyFile(join(ROOT, 'clients/licensing/index.js'), join(folder, 'licensing.js'));
await copyFile(join(ROOT, 'clients/licensing/activate.js'), join(folder, 'activate.js'));
const { protocol, hostname, pathname } = new URL(url);
// Without the port, which Firefox refuses there.
const page = `${protocol}//${hostname}${pathname.replace(/\/$/, '')}/buyer/activate/${extensionId}`;
const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
const scripts = { content_scripts: [{ matches: [page], js: ['activate.js'] }] };
await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...scripts }, null, 2));
const config = { url, extensionId, tier, keys };
await writeFile(join(folder, 'config.js'), `export const config = ${JSON.stringify(config, null, 2)};\n`);
