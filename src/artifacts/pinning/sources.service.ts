import { open } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { orThrow } from '../../common/problems/index.js';
import { TemporaryFiles } from '../../common/storage/index.js';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService } from '../../registry/index.js';
import { Stores } from '../../stores/index.js';
import { DestinationsService, type Destination } from '../../targets/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';
import type { SourcedArtifact } from '../artifacts.dto.js';
import { ArtifactNotFound, ArtifactRequired, InvalidPackage } from '../artifacts.problems.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { toArtifact } from '../artifacts.service.js';
import { PackagesService, receivePackage, SOURCES, type Upload, UploadLimitsService } from '../packages/index.js';
import { placeOf } from '../scope.js';
import { destinationsWith } from './versions.service.js';

/** The first bytes of the archives that stores accept as sources: zip, gzip and bzip2. */
const BEGINNINGS = ['PK\u0003\u0004', '\u001F\u008B\u0008', 'BZh'];
const MAX_BEGINNING = 4;

/** The sources of packages whose code was built, for stores that review them. */
@Injectable()
export class SourcesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly artifacts: ArtifactsRepository,
    private readonly temporary: TemporaryFiles,
    private readonly events: EventsService,
    private readonly packages: PackagesService,
    private readonly stores: Stores,
    private readonly destinations: DestinationsService,
    private readonly limits: UploadLimitsService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Stores the uploaded archive as the sources of an artifact and replaces earlier ones. The next submission sends it unchanged; targets that
   * waited for it become due at once.
   */
  async attach(tenantId: string, id: string, upload: Upload | null): Promise<SourcedArtifact> {
    const found = orThrow(await this.artifacts.findOwn(tenantId, id), ArtifactNotFound);
    const { sha256: packageSha256, extensionId, scope } = found;
    if (packageSha256 === null || upload === null) throw new ArtifactRequired();
    return this.limits.receive(tenantId, () => this.storeSources(tenantId, id, { extensionId, scope }, upload));
  }

  private async storeSources(
    tenantId: string,
    id: string,
    { extensionId, scope }: Pick<ArtifactEntity, 'extensionId' | 'scope'>,
    upload: Upload,
  ): Promise<SourcedArtifact> {
    const place = placeOf(scope);
    const path = await this.temporary.path();
    try {
      const { file: received } = await receivePackage(upload, path, this.limits.packageBytes, SOURCES);
      if (received === null) throw new ArtifactRequired();
      await assertArchive(path);
      return await this.packages.store(path, { ...received, read: null }, (blobId) =>
        this.limits.withinStorageLimit(tenantId, always, async () => {
          // The targets first, in the order in which an upload locks them.
          const destinations = await this.destinations.at(extensionId, place);
          const row = orThrow(await this.artifacts.findOwnForUpdate(tenantId, id), ArtifactNotFound);
          const before = { ...row };
          const formerBlobId = before.sourceBlobId;
          const now = this.clock.now();
          Object.assign(row, {
            sourceBlobId: await blobId(),
            sourceSha256: received.sha256,
            sourceSize: received.size,
            sourceDueAt: null,
            updatedAt: now,
          });
          await this.artifacts.update(row);
          if (before.sourceDueAt !== null) await this.destinations.makeDue(extensionId, place, row.storeVersion);
          if (formerBlobId !== null && formerBlobId !== row.sourceBlobId)
            this.tx.afterCommit(() => this.packages.dropSoon([formerBlobId]));
          await this.audit.record(tenantId, 'artifact.source_attached', row, { before, after: row });
          const warning = before.sourceSha256 === row.sourceSha256 ? null : this.tooLateFor(row, destinations);
          await this.events.append({
            extensionId: row.extensionId,
            version: row.version,
            kind: 'source_attached',
            message: [`Sources were attached to version ${row.version}.`, ...(warning === null ? [] : [warning])].join(
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

  /** Sources go with a submission; a store that has the version already does not receive them. */
  private tooLateFor(row: ArtifactEntity, destinations: readonly Destination[]): string | null {
    for (const destination of destinations) {
      const { title, capabilities } = this.stores.for(destination.store);
      if (!capabilities.sourceUpload) continue;
      if (destinationsWith(row, [destination]).length > 0)
        return `${title} already has version ${row.version}, so the sources are not sent there; push a newer version with its sources.`;
      if (row.uploadedTo.includes(destination.store))
        return `${title} already has the package; the sources reach it only if version ${row.version} has not been submitted there yet.`;
    }
    return null;
  }
}

const always = (): boolean => true;

async function assertArchive(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(MAX_BEGINNING), 0, MAX_BEGINNING, 0);
    const head = buffer.toString('latin1');
    if (!BEGINNINGS.some((beginning) => head.startsWith(beginning)))
      throw new InvalidPackage('The sources must be a .zip, .tar.gz, .tgz or .tar.bz2 archive.');
  } finally {
    await file.close();
  }
}
