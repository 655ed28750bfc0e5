import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Idempotent } from '../../common/http/index.js';
import { CurrentSession, LimitedPerAddress, Session, type SessionCaller } from '../../common/access/index.js';
import { Throws } from '../../common/problems/index.js';
import { CreateTenant, TenantOfUser } from './accounts.dto.js';
import { SignupClosed } from './accounts.problems.js';
import { AccountsService } from './accounts.service.js';

/** Tenants of the user who is logged in. */
@ApiTags('auth')
@Controller('tenants')
export class TenantsController {
  constructor(private readonly accounts: AccountsService) {}

  @ApiOperation({
    summary: 'Creates another tenant, which the user owns, where SIGNUP is open. The session stays at its tenant.',
  })
  @Post()
  @Idempotent()
  @Session('account')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(SignupClosed)
  @ApiCreatedResponse({ type: TenantOfUser })
  create(@CurrentSession() { userId }: SessionCaller, @Body() input: CreateTenant): Promise<TenantOfUser> {
    return this.accounts.createTenant(userId, input);
  }
}
