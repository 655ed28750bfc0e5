import { Body, Controller, Get, HttpCode, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiExtraModels, ApiOkResponse, ApiProduces, ApiTags, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Bearer, CurrentCaller, inPath, inQuery, type Caller } from '../common/access/index.js';
import { IdParam, ReadsOwnBody } from '../common/http/index.js';
import { Throws, UnsupportedMediaType } from '../common/problems/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import { SeveralTargets, TargetElsewhere, TargetNotFound } from '../targets/index.js';
import {
  Artifact,
  ArtifactList,
  ArtifactsQuery,
  CheckPackage,
  CheckQuery,
  DeduplicatedPush,
  PackageCheck,
  PinAgain,
  PushQuery,
  SourcedArtifact,
  UploadedPush,
} from './artifacts.dto.js';
import { PushForm, SourceForm } from './version-texts.dto.js';
import {
  ArtifactNotFound,
  ArtifactRequired,
  ArtifactTooLarge,
  InvalidPackage,
  InvalidPackageManifest,
  PackageTooCostly,
  NotesTooLong,
  PackageLost,
  SignedPackageElsewhere,
  StorageLimitReached,
  TooManyUploads,
  VersionConflict,
  VersionMismatch,
  VersionNotAccepted,
  VersionNotNewer,
} from './artifacts.problems.js';
import { ArtifactEntity } from './artifact.entity.js';
import { ArtifactsService, type Download } from './artifacts.service.js';
import { PushesService } from './pinning/pushes.service.js';
import { SourcesService } from './pinning/sources.service.js';
import { FILE, PACKAGE, SOURCES, Uploaded, uploadBody, type Upload } from './packages/upload.js';

/** Packages of an extension, and their sources. */
@ApiTags('artifacts')
@ApiExtraModels(PushForm, SourceForm)
@Controller('artifacts')
export class ArtifactsController {
  constructor(
    private readonly artifacts: ArtifactsService,
    private readonly pushes: PushesService,
    private readonly sources: SourcesService,
  ) {}

  /** Pins a version: the package is the body, or the one file of a form. Its targets become due at once. */
  @ApiOperation({
    summary: 'Pushes a version and pins it for its targets.',
    requestBody: uploadBody(PACKAGE, PushForm, false),
  })
  @Post()
  @Bearer('artifacts:write', inQuery('extension'))
  @ReadsOwnBody()
  @Throws(ExtensionNotFound, ArtifactRequired, ArtifactTooLarge, UnsupportedMediaType)
  @Throws(InvalidPackage, InvalidPackageManifest, PackageTooCostly, VersionMismatch)
  @Throws(VersionNotAccepted, VersionConflict, VersionNotNewer)
  @Throws(SignedPackageElsewhere, NotesTooLong, TooManyUploads, StorageLimitReached)
  @Throws(TargetNotFound, TargetElsewhere, SeveralTargets)
  @ApiCreatedResponse({ type: UploadedPush, description: 'Kept and pinned.' })
  @ApiOkResponse({ type: DeduplicatedPush, description: 'The same content was pushed before.' })
  async push(
    @CurrentCaller() caller: Caller,
    @Query() query: PushQuery,
    @Uploaded() upload: Upload | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadedPush | DeduplicatedPush> {
    return withStatus(response, await this.pushes.push(caller.tenantId, query, upload));
  }

  @ApiOperation({ summary: 'Checks a package as a push would, and changes nothing.' })
  @Post('check')
  @HttpCode(200)
  @Bearer('artifacts:write', inQuery('extension'))
  @Throws(ExtensionNotFound, InvalidPackageManifest, VersionNotAccepted, VersionConflict, VersionNotNewer, NotesTooLong)
  @Throws(TargetNotFound, TargetElsewhere, SeveralTargets)
  @ApiOkResponse({ type: PackageCheck })
  check(
    @CurrentCaller() caller: Caller,
    @Query() query: CheckQuery,
    @Body() input: CheckPackage,
  ): Promise<PackageCheck> {
    return this.pushes.check(caller.tenantId, query, input);
  }

  @ApiOperation({ summary: 'Lists the 50 most recent artifacts of an extension.' })
  @Get()
  @Bearer('extensions:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: ArtifactList })
  list(@CurrentCaller() caller: Caller, @Query() query: ArtifactsQuery): Promise<ArtifactList> {
    return this.artifacts.list(caller.tenantId, query.extension);
  }

  @ApiOperation({ summary: 'Retrieves an artifact.' })
  @Get(':id')
  @Bearer('extensions:read', inPath('id', ArtifactEntity))
  @Throws(ArtifactNotFound)
  @ApiOkResponse({ type: Artifact })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Artifact> {
    return this.artifacts.get(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Downloads the package of an artifact.' })
  @Get(':id/download')
  @Bearer('extensions:read', inPath('id', ArtifactEntity))
  @Throws(ArtifactNotFound, PackageLost)
  @ApiProduces('application/zip', 'application/x-chrome-extension')
  @ApiOkResponse({ schema: FILE })
  async download(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return withETag(response, await this.artifacts.download(caller.tenantId, id));
  }

  /** Keeps the notes and sources, and follows the rules of a push. Promotes a version to another store; pinning an earlier one undoes that. */
  @ApiOperation({
    summary: 'Pins an artifact again, for another store or target or for every target, without uploading its package.',
  })
  @Post(':id/pin')
  @Bearer('artifacts:write', inPath('id', ArtifactEntity))
  @Throws(ArtifactNotFound, ArtifactRequired, SignedPackageElsewhere)
  @Throws(VersionNotAccepted, VersionConflict, VersionNotNewer, NotesTooLong)
  @Throws(TargetNotFound, TargetElsewhere, SeveralTargets)
  @ApiCreatedResponse({ type: UploadedPush, description: 'Pinned.' })
  @ApiOkResponse({ type: DeduplicatedPush, description: 'The store had the same content pinned before.' })
  async pin(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() input: PinAgain,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadedPush | DeduplicatedPush> {
    return withStatus(response, await this.pushes.pinAgain(caller.tenantId, id, input));
  }

  /** The body is a .zip, .tar.gz, .tgz or .tar.bz2. A store that reviews built code receives it with the next submission. */
  @ApiOperation({
    summary: 'Attaches the source code of an artifact.',
    requestBody: uploadBody(SOURCES, SourceForm, true),
  })
  @Post(':id/source')
  @HttpCode(200)
  @Bearer('artifacts:write', inPath('id', ArtifactEntity))
  @ReadsOwnBody()
  @Throws(ArtifactNotFound, ArtifactRequired, ArtifactTooLarge, UnsupportedMediaType, InvalidPackage)
  @Throws(TooManyUploads, StorageLimitReached)
  @ApiOkResponse({ type: SourcedArtifact })
  attachSource(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Uploaded() upload: Upload | null,
  ): Promise<SourcedArtifact> {
    return this.sources.attach(caller.tenantId, id, upload);
  }
}

/** 201 for a new content, 200 for one that was pushed before. */
function withStatus(response: Response, pushed: UploadedPush | DeduplicatedPush): UploadedPush | DeduplicatedPush {
  response.status(pushed.deduplicated ? 200 : 201);
  return pushed;
}

function withETag(response: Response, { file, etag }: Download): StreamableFile {
  response.setHeader('ETag', etag);
  return file;
}
