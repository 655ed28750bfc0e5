import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { CrossOrigin } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { CodeClaimsService } from './code-claims.service.js';
import { Claim, ClaimedCode } from './delivery.dto.js';
import { ClaimNotFound } from './delivery.problems.js';

/** The route by which a seller's page gets the code that was just bought. */
@ApiTags('licensing')
@Controller('licensing')
export class ClaimController {
  constructor(private readonly claims: CodeClaimsService) {}

  @ApiOperation({
    summary:
      'Claims the code of a purchase for the seller’s page, once, or for the device that asked to buy or to be restored, which gets the same code again. It works within a day.',
  })
  @Post('claim')
  @HttpCode(200)
  @Public('the claim token authorizes the request')
  @CrossOrigin()
  @LimitedPerAddress('claim-address', 'rateLimitClaimPerAddress')
  @Throws(ClaimNotFound)
  @ApiOkResponse({ type: ClaimedCode })
  claim(@Body() input: Claim): Promise<ClaimedCode> {
    return this.claims.claim(input);
  }
}
