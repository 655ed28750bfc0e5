import { Body, Controller, Delete, Get, HttpCode, Ip, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentSession, LimitedPerAddress, Session, type SessionCaller } from '../../../common/access/index.js';
import { RateLimited, Throws } from '../../../common/problems/index.js';
import { WrongPassword } from '../../../platform/accounts/index.js';
import { RequestDeletion, TenantDeletion } from '../tenant-data.dto.js';
import { DeletionNotScheduled, DeletionScheduled, TenantNameMismatch } from '../tenant-data.problems.js';
import { TenantDeletionService } from './tenant-deletion.service.js';

/** The deletion of a tenant. */
@ApiTags('tenant')
@Controller('tenant/deletion')
export class TenantDeletionController {
  constructor(private readonly deletion: TenantDeletionService) {}

  @ApiOperation({
    summary: 'Schedules the deletion of the tenant.',
    description:
      'For 7 days everything keeps working, and any owner can cancel the deletion. Then the tenant is deleted with all its data: extensions, packages, licenses, sales, figures, mails, and the accounts of members who belong to no other tenant. What is live at stores stays there.',
  })
  @Post()
  @Session('tenant:write', { secondFactor: true })
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(WrongPassword, TenantNameMismatch, DeletionScheduled, RateLimited)
  @ApiCreatedResponse({ type: TenantDeletion })
  request(
    @CurrentSession() caller: SessionCaller,
    @Body() input: RequestDeletion,
    @Ip() address: string,
  ): Promise<TenantDeletion> {
    return this.deletion.request(caller, input, address);
  }

  @ApiOperation({ summary: 'Shows when the tenant will be deleted.' })
  @Get()
  @Session('tenant:write')
  @Throws(DeletionNotScheduled)
  @ApiOkResponse({ type: TenantDeletion })
  get(@CurrentSession() { tenantId }: SessionCaller): Promise<TenantDeletion> {
    return this.deletion.get(tenantId);
  }

  @ApiOperation({ summary: 'Cancels the deletion of the tenant.' })
  @Delete()
  @HttpCode(204)
  @Session('tenant:write')
  @Throws(DeletionNotScheduled)
  @ApiNoContentResponse()
  cancel(@CurrentSession() { tenantId }: SessionCaller): Promise<void> {
    return this.deletion.cancel(tenantId);
  }
}
