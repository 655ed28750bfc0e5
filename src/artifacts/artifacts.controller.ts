import { Controller, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiProduces,
  ApiTags,
  ApiOperation,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Bearer, CurrentCaller, type Caller } from '../common/access/index.js';
import { IdParam, ReadsOwnBody } from '../common/http/index.js';
import { Throws, UnsupportedMediaType } from '../common/problems/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import {
  Artifact,
  ArtifactList,
  ArtifactsQuery,
  DeduplicatedPush,
  PushQuery,
  SourcedArtifact,
  UploadedPush,
} from './artifacts.dto.js';
import {
  ArtifactNotFound,
  ArtifactRequired,
  ArtifactTooLarge,
  InvalidPackage,
  InvalidPackageManifest,
  PackageLost,
  StorageLimitReached,
  TooManyUploads,
  VersionConflict,
  VersionMismatch,
  VersionNotAccepted,
  VersionNotNewer,
} from './artifacts.problems.js';
import { ArtifactsService } from './artifacts.service.js';
import { PushesService } from './pinning/pushes.service.js';
import { SourcesService } from './pinning/sources.service.js';

/** Packages of an extension, and their sources. */
@ApiTags('artifacts')
@Controller('artifacts')
export class ArtifactsController {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly pushes: PushesService,
    private readonly sources: SourcesService,
  ) {}

  /** Pins a version: the zip is the body, or the one file of a form. Its targets become due at once. */
  @ApiOperation({ summary: 'Pushes a version and pins it for its targets.' })
  @Post()
  @Bearer('artifacts:write')
  @ReadsOwnBody()
  @Throws(ExtensionNotFound, ArtifactRequired, ArtifactTooLarge, UnsupportedMediaType)
  @Throws(InvalidPackage, InvalidPackageManifest, VersionMismatch, VersionNotAccepted, VersionConflict, VersionNotNewer)
  @Throws(TooManyUploads, StorageLimitReached)
  @ApiConsumes('application/zip', 'application/octet-stream', 'multipart/form-data')
  @ApiBody({ required: false, schema: { type: 'string', format: 'binary' } })
  @ApiCreatedResponse({ type: UploadedPush, description: 'Kept and pinned.' })
  @ApiOkResponse({ type: DeduplicatedPush, description: 'The same content was pushed before.' })
  async push(
    @CurrentCaller() caller: Caller,
    @Query() query: PushQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadedPush | DeduplicatedPush> {
    const pushed = await this.pushes.push(caller.tenantId, query, request);
    response.status(pushed.deduplicated ? 200 : 201);
    return pushed;
  }

  @ApiOperation({ summary: 'Lists the 50 most recent artifacts of an extension.' })
  @Get()
  @Bearer('extensions:read')
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: ArtifactList })
  list(@CurrentCaller() caller: Caller, @Query() query: ArtifactsQuery): Promise<ArtifactList> {
    return this.artifacts.list(caller.tenantId, query.extension);
  }

  @ApiOperation({ summary: 'Retrieves an artifact.' })
  @Get(':id')
  @Bearer('extensions:read')
  @Throws(ArtifactNotFound)
  @ApiOkResponse({ type: Artifact })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Artifact> {
    return this.artifacts.get(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Downloads the package of an artifact.' })
  @Get(':id/download')
  @Bearer('extensions:read')
  @Throws(ArtifactNotFound, PackageLost)
  @ApiProduces('application/zip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async download(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { file, etag } = await this.artifacts.download(caller.tenantId, id);
    response.setHeader('ETag', etag);
    return file;
  }

  /** The body is a .zip, .tar.gz, .tgz or .tar.bz2. A store that reviews built code receives it with the next submission. */
  @ApiOperation({ summary: 'Attaches the source code of an artifact.' })
  @Post(':id/source')
  @HttpCode(200)
  @Bearer('artifacts:write')
  @ReadsOwnBody()
  @Throws(ArtifactNotFound, ArtifactRequired, ArtifactTooLarge, UnsupportedMediaType, InvalidPackage)
  @Throws(TooManyUploads, StorageLimitReached)
  @ApiConsumes(
    'application/zip',
    'application/gzip',
    'application/x-gzip',
    'application/x-bzip2',
    'application/octet-stream',
    'multipart/form-data',
  )
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiOkResponse({ type: SourcedArtifact })
  attachSource(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Req() request: Request,
  ): Promise<SourcedArtifact> {
    return this.sources.attach(caller.tenantId, id, request);
  }
}
