import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, Session, SessionOrBearer, type Caller } from '../common/access/index.js';
import { Conditional, IdParam, IfMatch, SendsEntityTags, type Precondition, Idempotent } from '../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../common/fields/index.js';
import { NothingToUpdate, Throws } from '../common/problems/index.js';
import { CreateCredential, Credential, UpdateCredential } from './credentials.dto.js';
import {
  CredentialInUse,
  CredentialNotFound,
  StoreRejectedCredentials,
  StoreUnavailable,
} from './credentials.problems.js';
import { CredentialsService } from './credentials.service.js';

/** Credentials of the caller's tenant. */
@ApiTags('store credentials')
@SendsEntityTags()
@Controller('credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @ApiOperation({ summary: 'Verifies credentials with the store or payment processor, and saves them encrypted.' })
  @Post()
  @Idempotent({ asksOutside: true })
  @SessionOrBearer('credentials:write', { secondFactor: true })
  @Throws(StoreRejectedCredentials, StoreUnavailable)
  @ApiCreatedResponse({ type: Credential })
  create(@CurrentCaller() caller: Caller, @Body() input: CreateCredential): Promise<Credential> {
    return this.credentials.create(caller.tenantId, input);
  }

  @ApiOperation({ summary: "Lists the tenant's credentials, newest first." })
  @Get()
  @Session('credentials:read')
  @ApiOkResponse({ type: pageOf(Credential) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<Credential>> {
    return this.credentials.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Retrieves a credential.' })
  @Get(':id')
  @Session('credentials:read')
  @Throws(CredentialNotFound)
  @ApiOkResponse({ type: Credential })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Credential> {
    return this.credentials.get(caller.tenantId, id);
  }

  @ApiOperation({
    summary:
      'Updates the label or expiry, or rotates the secrets under the same id and schedules a check of the targets that use them.',
  })
  @Patch(':id')
  @Conditional()
  @SessionOrBearer('credentials:write', { secondFactor: true })
  @Throws(CredentialNotFound, NothingToUpdate, StoreRejectedCredentials, StoreUnavailable)
  @ApiOkResponse({ type: Credential })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() input: UpdateCredential,
    @IfMatch() expected: Precondition,
  ): Promise<Credential> {
    return this.credentials.update(caller.tenantId, id, input, expected);
  }

  @ApiOperation({ summary: 'Deletes a credential that no target uses.' })
  @Delete(':id')
  @HttpCode(204)
  @Conditional()
  @Session('credentials:write')
  @Throws(CredentialNotFound, CredentialInUse)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string, @IfMatch() expected: Precondition): Promise<void> {
    return this.credentials.delete(caller.tenantId, id, expected);
  }
}
