import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { CrossOrigin } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { CodeClaimsService } from './code-claims.service.js';
import { Claim, ClaimedCode } from './delivery.dto.js';
import { ClaimNotFound } from './delivery.problems.js';

@ApiTags('licensing')
@Controller('licensing')
export class ClaimController {
  constructor(private readonly claims: CodeClaimsService) {}

  @ApiOperation({ summary: 'Shows the code of a purchase once, within a day, to the shop that named a token for it.' })
  @Post('claim')
  @HttpCode(200)
  @Public('whoever has the token has bought; nobody guesses one')
  @CrossOrigin()
  @LimitedPerAddress('claim-address', 'rateLimitClaimPerAddress')
  @Throws(ClaimNotFound)
  @ApiOkResponse({ type: ClaimedCode })
  claim(@Body() input: Claim): Promise<ClaimedCode> {
    return this.claims.claim(input);
  }
}
