import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { takeOverBuiltins } from './builtins.js';
import { SimulatedDisk } from './disk.js';
import { Kernel } from './kernel.js';

const realNow = Date.now;
const began = realNow();
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    years: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
  },
});
const kernel = new Kernel(values.seed, Date.UTC(2027, 0, 1));
takeOverBuiltins(kernel);
new SimulatedDisk(kernel).takeOver();
if (values.trace) kernel.onLine = (line) => void process.stdout.write(`${line}\n`);
// The support of the tests asks for the service this way.
Object.assign(globalThis, { loadService: () => import('../support/service.js') });
const { generateKeyPairSync } = await import('node:crypto');
process.env['TEST_SERVICE_ACCOUNT_KEY'] = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;
const { play } = await import('./play.js');
const { Weather } = await import('./weather.js');
const weather = new Weather(kernel, null);
try {
  await play(kernel, Number(values.years), weather);
} catch (error) {
  process.stdout.write(`${kernel.trace.slice(-60).join('\n')}\n`);
  console.error(error);
  process.exitCode = 1;
}
process.stdout.write(`${weather.happened.length} faults\n`);
process.stdout.write(`digest ${kernel.traceDigest} steps ${kernel.step} in ${realNow() - began} ms, ${Math.round(process.cpuUsage().user / 1000)} ms of processor time, ${Math.round(process.memoryUsage().rss / 1e6)} MB\n`);
process.exit();
