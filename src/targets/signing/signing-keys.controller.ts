import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, SessionOrBearer, type Caller } from '../../common/access/index.js';
import { IdParam, Idempotent } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { TargetNotFound } from '../targets.problems.js';
import { KeepSigningKey, SigningKeyView } from './signing-keys.dto.js';
import { SigningKeyExists, SigningKeyNotFound, SigningNotSupported } from './signing-keys.problems.js';
import { SigningKeysService } from './signing-keys.service.js';

/** The key that signs the packages of a target. */
@ApiTags('targets')
@Controller('extensions/:id/targets/:targetId/signing-key')
export class SigningKeysController {
  constructor(private readonly keys: SigningKeysService) {}

  @ApiOperation({ summary: 'Retrieves the public part of the key that signs the packages of a target.' })
  @Get()
  @Bearer('extensions:read', inPath('id'))
  @Throws(ExtensionNotFound, TargetNotFound, SigningKeyNotFound)
  @ApiOkResponse({ type: SigningKeyView })
  get(
    @CurrentCaller() { tenantId }: Caller,
    @IdParam() extensionId: string,
    @IdParam('targetId') targetId: string,
  ): Promise<SigningKeyView> {
    return this.keys.get({ tenantId, extensionId, targetId });
  }

  @ApiOperation({
    summary:
      'Makes a signing key for a target, or keeps a given one, encrypted. Packages are signed with it once the target’s signedUploads is on. The same key again changes nothing.',
  })
  @Post()
  @Idempotent()
  @SessionOrBearer('credentials:write', { secondFactor: true })
  @Throws(ExtensionNotFound, TargetNotFound, SigningNotSupported, SigningKeyExists)
  @ApiBody({ type: KeepSigningKey, examples: { new: { value: {} } } })
  @ApiCreatedResponse({ type: SigningKeyView })
  keep(
    @CurrentCaller() { tenantId }: Caller,
    @IdParam() extensionId: string,
    @IdParam('targetId') targetId: string,
    @Body() input: KeepSigningKey,
  ): Promise<SigningKeyView> {
    return this.keys.keep({ tenantId, extensionId, targetId }, input);
  }

  @ApiOperation({ summary: 'Deletes the signing key of a target for ever. The store still expects its signatures.' })
  @Delete()
  @HttpCode(204)
  @SessionOrBearer('credentials:write', { secondFactor: true })
  @Throws(ExtensionNotFound, TargetNotFound, SigningKeyNotFound)
  @ApiNoContentResponse()
  remove(
    @CurrentCaller() { tenantId }: Caller,
    @IdParam() extensionId: string,
    @IdParam('targetId') targetId: string,
  ): Promise<void> {
    return this.keys.remove({ tenantId, extensionId, targetId });
  }
}
