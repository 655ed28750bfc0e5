import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { expectStatus, Given, type Licensed, type Publishable } from '../support/given.js';
import { TestControl } from '../support/keys.js';
import { packageOf } from '../support/packages.js';
import { startService, type Service } from '../support/process.js';
import { Power } from './power.js';
import { createSandbox } from '../support/app.js';

const WORKERS = 4;
/** Four starts of the service, and one cluster that is made: seconds, and many of them on a busy machine. */
const MAY_TAKE_MS = 300_000;

/** An extension with a package that was pushed for it. */
interface Pushed {
  readonly extension: { readonly id: string };
  readonly artifact: { readonly id: string };
  readonly zip: Buffer;
}

describe('a power cut', () => {
  let power: Power;
  let sandbox: Sandbox;
  let service: Service;
  let owner: Publishable;
  let licensed: Licensed;
  beforeAll(async () => {
    [power, sandbox] = await Promise.all([Power.on(), createSandbox()]);
    const given = await start();
    owner = await given.publishable();
    licensed = await given.licensed({}, owner);
  }, MAY_TAKE_MS);
  afterAll(async () => {
    await service.kill();
    await sandbox.close();
    await power.remove();
  });

  const start = async (): Promise<Given> => {
    service = await startService({
      ...power.env,
      ...sandbox.env,
      DATA_DIR: join(power.folder, 'data', 'pierhead'),
      SIGNUP: 'open',
      RATE_LIMITS: 'off',
      RECONCILE_EVERY_SECONDS: '86400',
      TENANT_QUOTAS: 'unlimited:0',
      DEFAULT_TENANT_QUOTA: 'unlimited',
    });
    return new Given(service.api, new TestControl(sandbox.url));
  };

  /** Pushes new extensions, several at once, and cuts the power while it goes on. @returns those that were acknowledged */
  const cutUnderLoad = async (after: number, round: string): Promise<readonly Pushed[]> => {
    const { token } = owner;
    const acknowledged: Pushed[] = [];
    let isOver = false;
    const push = async (worker: number): Promise<void> => {
      for (let turn = 0; !isOver; turn += 1) {
        const name = `Pushed by ${worker} in turn ${turn} of the ${round}`;
        const extension = expectStatus(await service.api.as({ token }).post('/extensions', { name }), 201).body;
        const zip = await packageOf('1.0.0', { name });
        const pin = { extension: extension.id, version: '1.0.0' };
        const answer = await service.api.as({ token }).push(pin, new Uint8Array(zip));
        acknowledged.push({ extension, artifact: expectStatus(answer, 201).body.artifact, zip });
        if (acknowledged.length < after || isOver) continue;
        isOver = true;
        await service.kill();
      }
    };
    await Promise.allSettled(Array.from({ length: WORKERS }, (_, worker) => push(worker)));
    await power.cut();
    return acknowledged;
  };

  const isFound = async ({ extension, artifact, zip }: Pushed): Promise<void> => {
    const { token } = owner;
    const api = service.api.as({ token });
    expect((await api.get(`/extensions/${extension.id}`)).body).toEqual(extension);
    expect((await api.get(`/artifacts/${artifact.id}`)).body).toEqual(artifact);
    const headers = { authorization: `Bearer ${token}` };
    const download = await fetch(`${service.url}/api/v1/artifacts/${artifact.id}/download`, { headers });
    expect(Buffer.from(await download.arrayBuffer()).equals(zip)).toBe(true);
  };

  /** Each of the three keys still does what it is for: the token's, the one that seals credentials, the one of license codes. */
  const keysWork = async (): Promise<void> => {
    const { code, extensionId } = licensed;
    const looked = await service.api.as(owner).post(`/extensions/${owner.extensionId}/reconcile`, {});
    const [chrome] = expectStatus(looked, 200).body.targets;
    expect(chrome).toMatchObject({ store: 'chrome', message: expect.not.stringContaining('credential') });
    const device = { code, extensionId, fingerprint: 'a browser' };
    expectStatus(await service.api.post('/licensing/activate', device), 200);
  };

  it(
    'in the middle of load takes no row, package or key that was acknowledged, time after time',
    async () => {
      const acknowledged: Pushed[] = [];
      for (const round of ['first', 'second']) {
        acknowledged.push(...(await cutUnderLoad(12, `${round} round`)));
        await start();
        for (const pushed of acknowledged) await isFound(pushed);
        await keysWork();
      }
    },
    MAY_TAKE_MS,
  );

  it(
    'would be seen here to take what the disk was not forced to keep',
    async () => {
      await power.deafen();
      const acknowledged = await cutUnderLoad(3, 'last round');
      await start();
      const found = acknowledged.map(({ extension }) => service.api.as(owner).get(`/extensions/${extension.id}`));
      expect((await Promise.all(found)).map(({ status }) => status)).toEqual(acknowledged.map(() => 404));
    },
    MAY_TAKE_MS,
  );
});
