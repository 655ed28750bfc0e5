import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { IdParam } from '../../common/http/index.js';
import { RateLimited, Throws } from '../../common/problems/index.js';
import { LicenseNotFound, LicenseRevoked, LicenseWithoutOwner } from '../licensing.problems.js';
import { LicenseEntity, LicenseWithDevices } from '../licenses/index.js';
import { CodeMailsService } from './code-mails.service.js';

/** Mails a new code, for the tenant. */
@ApiTags('licenses')
@Controller('licenses')
export class ResendController {
  constructor(private readonly mails: CodeMailsService) {}

  @ApiOperation({
    summary: 'Replaces the code of a license and mails the new one to the buyer. Devices keep their seats.',
  })
  @Post(':id/resend')
  @HttpCode(200)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseRevoked, LicenseWithoutOwner, RateLimited)
  @ApiOkResponse({ type: LicenseWithDevices })
  resend(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<LicenseWithDevices> {
    return this.mails.resend(caller.tenantId, id);
  }
}
