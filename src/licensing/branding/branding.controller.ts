import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { Conditional, IfMatch, SendsEntityTags, type Precondition } from '../../common/http/index.js';
import { Branding, UpdateBranding } from './branding.dto.js';
import { BrandingService } from './branding.service.js';

/** Branding that buyers see, managed by the tenant. */
@ApiTags('branding')
@SendsEntityTags()
@Controller('branding')
export class BrandingController {
  constructor(private readonly branding: BrandingService) {}

  @ApiOperation({ summary: "Retrieves the name, support address, colour and logo on the buyers' pages and in mails." })
  @Get()
  @Bearer('extensions:read', 'tenant')
  @ApiOkResponse({ type: Branding })
  get(@CurrentCaller() caller: Caller): Promise<Branding> {
    return this.branding.get(caller.tenantId);
  }

  @ApiOperation({
    summary: 'Changes what buyers see on their pages and in mails. Fields that are absent stay as they are.',
  })
  @Patch()
  @Conditional()
  @Bearer('extensions:write', 'tenant')
  @ApiOkResponse({ type: Branding })
  update(
    @CurrentCaller() caller: Caller,
    @Body() input: UpdateBranding,
    @IfMatch() expected: Precondition,
  ): Promise<Branding> {
    return this.branding.update(caller.tenantId, input, expected);
  }
}
