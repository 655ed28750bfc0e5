import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { newRow, Transactions } from '../../common/database/index.js';
import { InvalidRequest, orThrow } from '../../common/problems/index.js';
import { CannotUnseal, Sealer } from '../../common/sealing/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService } from '../../registry/index.js';
import {
  crxStartOf,
  InvalidSigningKey,
  newSigningKey,
  privatePemOf,
  publicPemOf,
  signingKeyOf,
  StoreFailure,
  Stores,
  type PackageFormat,
  type SigningKey,
  type StorePackage,
} from '../../stores/index.js';
import type { TargetEntity } from '../target.entity.js';
import { TargetsService } from '../targets.service.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { SigningKeyExists, SigningKeyNotFound, SigningNotSupported } from './signing-keys.problems.js';
import { SigningKeysRepository } from './signing-keys.repository.js';
import type { KeepSigningKey, SigningKeyView } from './signing-keys.dto.js';

/** Whose key: a tenant's target. */
export interface TargetPlace {
  readonly tenantId: string;
  readonly extensionId: string;
  readonly targetId: string;
}

/** A target, by what decides about its signatures. */
type SignedTarget = Pick<TargetEntity, 'id' | 'signedUploads'>;

/** Keeps keys that sign packages, and signs with them. */
@Injectable()
export class SigningKeysService {
  private readonly log = new Logger(SigningKeysService.name);

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly keys: SigningKeysRepository,
    private readonly targets: TargetsService,
    private readonly stores: Stores,
    private readonly sealer: Sealer,
    private readonly events: EventsService,
    private readonly audit: AuditLog,
  ) {}

  async get(place: TargetPlace): Promise<SigningKeyView> {
    await this.targets.getOrThrow(place.tenantId, place.extensionId, place.targetId);
    return toView(orThrow(await this.keys.find(place.targetId), SigningKeyNotFound));
  }

  /**
   * Keeps a new or a given key for a target. The same key again changes nothing.
   * @throws SigningNotSupported, SigningKeyExists
   */
  async keep(place: TargetPlace, { privateKey }: KeepSigningKey): Promise<SigningKeyView> {
    const key = privateKey === undefined ? await newSigningKey() : readKey(privateKey);
    const fresh = newRow(this.clock.now());
    const sealed = await this.sealer.seal(privatePemOf(key), purposeOf(fresh.id));
    return this.tx.run(async () => {
      const { store: storeId } = await this.targets.getOrThrow(place.tenantId, place.extensionId, place.targetId);
      const { title, capabilities } = this.stores.for(storeId);
      if (!capabilities.signedPackages) throw new SigningNotSupported(title);
      const publicKey = publicPemOf(key);
      const known = await this.keys.find(place.targetId);
      if (known?.publicKey === publicKey) return toView(known);
      if (known !== null) throw new SigningKeyExists();
      const own = { targetId: place.targetId, publicKey, sealed };
      const row = Object.assign(new SigningKeyEntity(), fresh, own);
      await this.keys.insert(row);
      await this.tell(place, 'signing_key_added', `${title}: a signing key was added.`);
      await this.audit.record(place.tenantId, 'signing_key.added', row, { after: row });
      return toView(row);
    });
  }

  /** Forgets a target's key for ever. @throws SigningKeyNotFound */
  async remove(place: TargetPlace): Promise<void> {
    await this.tx.run(async () => {
      const { store } = await this.targets.getOrThrow(place.tenantId, place.extensionId, place.targetId);
      const row = orThrow(await this.keys.find(place.targetId), SigningKeyNotFound);
      await this.keys.delete(row.id);
      await this.tell(place, 'signing_key_removed', `${this.stores.for(store).title}: the signing key was removed.`);
      await this.audit.record(place.tenantId, 'signing_key.removed', row, { before: row });
    });
  }

  /** Why a target whose item takes only signed packages cannot be sent one; null where it can. */
  async refusalOf(target: SignedTarget, format: PackageFormat | null): Promise<string | null> {
    if (!target.signedUploads || format !== 'zip' || (await this.keys.exists(target.id))) return null;
    return 'The item takes only packages signed with its author’s key. Push a signed .crx for Chrome, give the target its signing key, or turn off Verified CRX Uploads in the Developer Dashboard and then signedUploads of the target.';
  }

  /** Whether a target has a key. */
  has({ id }: SignedTarget): Promise<boolean> {
    return this.keys.exists(id);
  }

  /** Signs a zip for a target that takes only signed packages; any other package stays as it is. @throws StoreFailure `config` */
  async signed(target: SignedTarget, pkg: StorePackage): Promise<StorePackage> {
    if (!target.signedUploads || pkg.format === 'crx') return pkg;
    const row = await this.keys.find(target.id);
    if (row === null) return pkg;
    const start = await crxStartOf((await pkg.open()) as AsyncIterable<Buffer>, await this.open(row));
    return {
      ...pkg,
      format: 'crx',
      size: start.length + pkg.size,
      open: async () => behind(start, await pkg.open()),
    };
  }

  private async open(row: SigningKeyEntity): Promise<SigningKey> {
    try {
      const pem = (await this.sealer.unseal(row.sealed, purposeOf(row.id))) as string;
      if (this.sealer.isOutdated(row.sealed))
        await this.keys.reseal(row, await this.sealer.seal(pem, purposeOf(row.id)));
      return signingKeyOf(pem);
    } catch (error) {
      if (!(error instanceof CannotUnseal)) throw error;
      this.log.error({ msg: 'signing key cannot be decrypted', targetId: row.targetId, err: error });
      throw new StoreFailure(
        'config',
        'Pierhead can no longer decrypt the signing key of this target. Restore ENCRYPTION_KEYS, or remove the key and add it again.',
      );
    }
  }

  private tell({ extensionId, targetId }: TargetPlace, kind: string, message: string): Promise<void> {
    return this.events.append({ extensionId, targetId, kind, message });
  }
}

const purposeOf = (id: string): string => `signing_key:${id}`;

const toView = ({ targetId, publicKey, createdAt }: SigningKeyEntity): SigningKeyView => ({
  targetId,
  publicKey,
  createdAt,
});

/** @throws InvalidRequest */
function readKey(pem: string): SigningKey {
  try {
    return signingKeyOf(pem);
  } catch (error) {
    if (!(error instanceof InvalidSigningKey)) throw error;
    throw new InvalidRequest([{ field: 'privateKey', message: `cannot be used. ${error.message}` }]);
  }
}

/** The bytes of a stream behind others. */
const behind = (start: Buffer, rest: Readable): Readable =>
  Readable.from(
    (async function* () {
      yield start;
      yield* rest as AsyncIterable<Buffer>;
    })(),
    { objectMode: false },
  );
