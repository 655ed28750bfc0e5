// node scripts/licensed-example.mjs URL EXTENSION_ID FOLDER: puts examples/licensed-counter together, ready to be loaded unpacked: with
// the client, and with the keys pinned that Pierhead at URL signs with for that extension.
import { copyFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [url, extensionId, folder] = process.argv.slice(2);

if (url === undefined || extensionId === undefined || folder === undefined) {
  process.stderr.write('Say where Pierhead is, which extension it is, and the folder to make.\n');
  process.exit(64);
}
const answer = await fetch(`${url}/api/v1/licensing/keys/${encodeURIComponent(extensionId)}`);
if (!answer.ok) throw new Error(`Pierhead answered ${answer.status} when asked for the keys`);
const keys = (await answer.json()).keys.map(({ kid, x }) => ({ kid, x }));
await cp(join(ROOT, 'examples/licensed-counter'), folder, { recursive: true });
await copyFile(join(ROOT, 'clients/licensing/index.js'), join(folder, 'licensing.js'));
const config = { url, extensionId, keys };
await writeFile(join(folder, 'config.js'), `export const config = ${JSON.stringify(config, null, 2)};\n`);
