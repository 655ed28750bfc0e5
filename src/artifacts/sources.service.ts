import { open } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TemporaryFiles } from '../common/blobs/index.js';
import { Clock } from '../common/clock/clock.js';
import { Config } from '../common/config/index.js';
import { Transactions } from '../common/database/index.js';
import { EventsService } from '../registry/index.js';
import { Stores } from '../stores/index.js';
import { TargetsService, type Destination } from '../targets/index.js';
import { ArtifactEntity } from './artifact.entity.js';
import type { SourcedArtifact } from './artifacts.dto.js';
import { ArtifactNotFound, ArtifactRequired, InvalidPackage } from './artifacts.problems.js';
import { toArtifact } from './artifacts.service.js';
import { PackagesService } from './packages.service.js';
import { hasBody, receivePackage } from './receive-package.js';
import { isHeld } from './versions.service.js';

/** How every zip begins that holds a file. */
const ZIP_MAGIC = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/** The sources of packages whose code was built, for stores that review them. */
@Injectable()
export class SourcesService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly temporary: TemporaryFiles,
    private readonly events: EventsService,
    private readonly packages: PackagesService,
    private readonly stores: Stores,
    private readonly targets: TargetsService,
  ) {}

  /**
   * Keeps the zip in the request's body as an artifact's sources, in place of any it had. They go to the store with the next submission.
   * @throws ArtifactNotFound, ArtifactRequired, ArtifactTooLarge, InvalidPackage, UnsupportedMediaType, InvalidRequest
   */
  async attach(tenantId: string, id: string, request: Request): Promise<SourcedArtifact> {
    const { sha256: packageSha256, extensionId, scope } = await this.find(tenantId, id);
    if (packageSha256 === null || !hasBody(request)) throw new ArtifactRequired();
    const path = await this.temporary.path();
    try {
      const received = await receivePackage(request, path, this.config.artifactMaxBytes);
      await mustBeZip(path);
      return await this.packages.keep(path, received, (blobId) =>
        this.tx.run(async () => {
          // The targets first, in the order in which an upload locks them.
          const destinations = await this.targets.destinations(extensionId, scope === 'any' ? null : scope);
          const row = await this.find(tenantId, id, 'for update');
          const { sourceBlobId: before } = row;
          const now = this.clock.now();
          Object.assign(row, {
            sourceBlobId: await blobId(),
            sourceSha256: received.sha256,
            sourceSize: received.size,
            updatedAt: now,
          });
          await this.tx.repository(ArtifactEntity).save(row);
          if (before !== null && before !== row.sourceBlobId)
            this.tx.afterCommit(() => this.packages.dropSoon([before]));
          const warning = this.tooLateFor(row, destinations);
          await this.events.append({
            extensionId: row.extensionId,
            version: row.version,
            kind: 'source_attached',
            message: [`Version ${row.version} was given its sources.`, ...(warning === null ? [] : [warning])].join(
              ' ',
            ),
          });
          return { ...toArtifact(row), ...(warning === null ? {} : { warning }) };
        }),
      );
    } finally {
      await this.temporary.discard(path);
    }
  }

  /** Sources go with a submission, and a store that has the version already asks for none. */
  private tooLateFor(row: ArtifactEntity, destinations: readonly Destination[]): string | null {
    for (const destination of destinations) {
      const { title, capabilities } = this.stores.for(destination.store);
      if (!capabilities.sourceUpload) continue;
      if (isHeld(row, [destination]))
        return `${title} has version ${row.version} already, so they are not sent there; push a newer version with its sources.`;
      if (row.handedTo.includes(destination.store))
        return `${title} was given the package before; they reach it only if version ${row.version} has not been submitted there yet.`;
    }
    return null;
  }

  private async find(tenantId: string, id: string, lock?: 'for update'): Promise<ArtifactEntity> {
    const query = this.tx
      .repository(ArtifactEntity)
      .createQueryBuilder('artifact')
      .innerJoin('artifact.extension', 'extension')
      .where('artifact.id = :id and extension.tenantId = :tenantId', { id, tenantId });
    if (lock !== undefined) query.setLock('pessimistic_write', undefined, ['artifact']);
    const row = await query.getOne();
    if (row === null) throw new ArtifactNotFound();
    return row;
  }
}

/** @throws InvalidPackage */
async function mustBeZip(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(ZIP_MAGIC.length), 0, ZIP_MAGIC.length, 0);
    if (!buffer.equals(ZIP_MAGIC)) throw new InvalidPackage('The sources are no zip.');
  } finally {
    await file.close();
  }
}
