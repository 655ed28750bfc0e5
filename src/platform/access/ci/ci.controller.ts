import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LimitedPerAddress, Public } from '../../../common/access/index.js';
import { Throws } from '../../../common/problems/index.js';
import { ExchangeCiToken, ExchangedCiToken } from './ci.dto.js';
import { CiIssuerUnreachable, CiTokenInvalid, CiTokenUsed } from '../ci-tokens/index.js';
import { TrustRuleMissing } from './ci.problems.js';
import { CiService } from './ci.service.js';

/** Authentication of jobs of CI services. */
@ApiTags('auth')
@Controller('auth/ci')
export class CiController {
  constructor(private readonly ci: CiService) {}

  @ApiOperation({
    summary:
      'Exchanges an OpenID Connect token of a CI service for an access token that lasts 15 minutes, if a trust rule allows it.',
  })
  @Post()
  @HttpCode(200)
  @Public('jobs of CI services authenticate here')
  @LimitedPerAddress('ci', 'rateLimitCiPerAddress')
  @Throws(CiTokenInvalid, CiTokenUsed, CiIssuerUnreachable, TrustRuleMissing)
  @ApiOkResponse({ type: ExchangedCiToken })
  exchange(@Body() input: ExchangeCiToken): Promise<ExchangedCiToken> {
    return this.ci.exchange(input);
  }
}
