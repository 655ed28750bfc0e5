import { createPrivateKey, sign as signWithCallback, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import { Clock, secondOf } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService, ExtensionNotFound, ExtensionsService } from '../../registry/index.js';
import { LicensingNotEnabled } from '../licensing.problems.js';
import { ExtensionCache } from '../plans/index.js';
import { LEASE_KEY_STATES, type LeaseKeyEntity, type LeaseKeyState } from './lease-key.entity.js';
import { LeaseKeysRepository, type LeaseKeyRow } from './lease-keys.repository.js';
import { LeaseCache } from './lease-cache.js';
import { leaseClaims, type LeaseFacts } from './lease.js';
import type { LeaseKeySet } from './leases.dto.js';

const ALGORITHM = 'EdDSA';
/** node:crypto takes half of WebCrypto's time for a text this short, most of it in another thread. */
const sign = promisify(signWithCallback);
const MAX_SIGNERS = 1000;
/** The keys that every extension has from its first lease on. */
const REQUIRED = ['current', 'next'] as const satisfies readonly LeaseKeyState[];

/** A private key, and the header of what it signs. */
interface Signer {
  readonly kid: string;
  readonly header: string;
  readonly key: KeyObject;
}

/**
 * Signs leases with the keys of each extension. The next key is published long before it signs, so that an extension that pins both keys keeps
 * working after a rotation.
 */
@Injectable()
export class LeaseKeysService {
  /** Keys whose private part has been unsealed, by `kid`. */
  private readonly signers = new Map<string, Signer>();
  private readonly leases = new LeaseCache();
  /** Keys that are being read or made, by extension, so that concurrent requests share one pair. */
  private readonly pendingKeys = new Map<string, Promise<readonly LeaseKeyEntity[]>>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly keys: LeaseKeysRepository,
    private readonly sealer: Sealer,
    private readonly extensions: ExtensionsService,
    private readonly events: EventsService,
    private readonly cache: ExtensionCache,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Signs a lease. Without a nonce, a device gets its last lease again while that is fresh.
   * @param keyId the extension's current key; null when it has none yet
   * @throws LicensingNotEnabled when the extension no longer exists
   */
  async lease(keyId: string | null, of: Omit<LeaseFacts, 'issuer'>): Promise<string> {
    const facts = { ...of, issuer: this.config.publicUrl };
    const now = secondOf(this.clock.now().getTime());
    const { kid, header, key } = this.cachedSigner(keyId) ?? (await this.signer(facts.extensionId));
    const textAt = (iat: number): string => `${header}.${toBase64Url(leaseClaims(facts, iat))}`;
    const device = `${kid} ${facts.fingerprintHash}`;
    const cached = facts.nonce === null ? this.leases.get(device, now, textAt) : null;
    if (cached !== null) return cached;
    const text = textAt(now);
    const signature = (await sign(null, Buffer.from(text), key)).toString('base64url');
    if (facts.nonce === null) this.leases.set(device, leaseClaims(facts, now), text, signature);
    return `${text}.${signature}`;
  }

  /** Returns the public keys of an extension. */
  async published(extensionId: string): Promise<LeaseKeySet> {
    const rows = await this.ensure(extensionId);
    if (rows.length === 0) throw new ExtensionNotFound();
    return toKeySet(rows);
  }

  /** Makes the next key sign from now on, and makes a new next key. Leases of the old key stay valid until they expire. */
  async rotate(tenantId: string, extensionId: string): Promise<LeaseKeySet> {
    await this.extensions.getOrThrow(tenantId, extensionId);
    await this.ensure(extensionId);
    const successor = await this.make(extensionId, 'next');
    return this.tx.run(async () => {
      const extension = await this.extensions.getOrThrow(tenantId, extensionId);
      // A concurrent rotation waits here, and then rotates the keys that this one made.
      await this.keys.lockExtension(extensionId);
      await this.keys.rotate(extensionId, successor, this.clock.now());
      await this.events.append({
        extensionId,
        kind: 'lease_key_rotated',
        message: 'The next lease key signs from now on. Publish a version of the extension that pins the new next key.',
      });
      await this.audit.record(tenantId, 'extension.lease_key_rotated', extension);
      this.cache.delete(extensionId);
      return toKeySet(await this.keys.findOf(extensionId));
    });
  }

  private cachedSigner(keyId: string | null): Signer | undefined {
    return keyId === null ? undefined : this.signers.get(keyId);
  }

  private async signer(extensionId: string): Promise<Signer> {
    const rows = await this.ensure(extensionId);
    const row = rows.find(({ state }) => state === 'current');
    if (row === undefined) throw new LicensingNotEnabled();
    const kid = row.id;
    const signer = { kid, header: toBase64Url({ alg: ALGORITHM, kid }), key: await this.open(row) };
    if (this.signers.size >= MAX_SIGNERS) this.signers.clear();
    this.signers.set(kid, signer);
    return signer;
  }

  /** Returns the extension's keys, making those that are missing, outside any transaction. Empty when there is no such extension. */
  private ensure(extensionId: string): Promise<readonly LeaseKeyEntity[]> {
    const pending = this.pendingKeys.get(extensionId);
    if (pending !== undefined) return pending;
    const keys = this.findOrMake(extensionId).finally(() => this.pendingKeys.delete(extensionId));
    this.pendingKeys.set(extensionId, keys);
    return keys;
  }

  private async findOrMake(extensionId: string): Promise<readonly LeaseKeyEntity[]> {
    const keys = await this.keys.findOf(extensionId);
    const missing = REQUIRED.filter((state) => keys.every((row) => row.state !== state));
    if (missing.length === 0) return keys;
    const created = await Promise.all(missing.map((state) => this.make(extensionId, state)));
    // Another process may have inserted keys first, and then its keys are used.
    for (const row of created) await this.keys.insertIfAbsent(row);
    this.cache.delete(extensionId);
    return this.keys.findOf(extensionId);
  }

  private async make(extensionId: string, state: LeaseKeyState): Promise<LeaseKeyRow> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
    const jwk = await exportJWK(privateKey);
    const row = newRow(this.clock.now());
    return {
      ...row,
      extensionId,
      state,
      publicKey: jwk.x ?? '',
      sealed: await this.sealer.seal(jwk, purposeOf(row.id)),
    };
  }

  private async open({ id, sealed }: LeaseKeyEntity): Promise<KeyObject> {
    const jwk = (await this.sealer.unseal(sealed, purposeOf(id))) as JsonWebKey;
    if (this.sealer.isOutdated(sealed)) {
      const resealed = await this.sealer.seal(jwk, purposeOf(id));
      await this.keys.reseal(id, sealed, resealed);
    }
    return createPrivateKey({ key: jwk, format: 'jwk' });
  }
}

const toBase64Url = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const purposeOf = (id: string): string => `lease-key:${id}`;

function toKeySet(rows: readonly LeaseKeyEntity[]): LeaseKeySet {
  const keys = LEASE_KEY_STATES.flatMap((state) => rows.filter((row) => row.state === state));
  return {
    keys: keys.map(({ id, publicKey, state }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: publicKey,
      kid: id,
      alg: ALGORITHM,
      use: 'sig',
      state,
    })),
  };
}
