import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../../common/access/index.js';
import { Throws } from '../../../common/problems/index.js';
import { Me, NoTenant, SessionCookie } from '../../accounts/index.js';
import type { NewSession } from '../auth.service.js';
import { BeginCliLogin, BegunCliLogin, FinishCliLogin } from './cli-login.dto.js';
import { CliLoginDenied, CliLoginExpired, CliLoginPending } from './cli-login.problems.js';
import { CliLoginsService } from './cli-logins.service.js';

/** Log-in of a program at a shell, which a person approves in a browser (RFC 8628). */
@ApiTags('auth')
@Controller('auth/cli')
export class CliLoginController {
  constructor(
    private readonly logins: CliLoginsService,
    private readonly cookie: SessionCookie,
  ) {}

  @ApiOperation({ summary: 'Starts a log-in from a terminal, which a person approves in a browser within 10 minutes.' })
  @Post()
  @Public('gives nothing before a person approves')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @ApiCreatedResponse({ type: BegunCliLogin })
  begin(@Body() input: BeginCliLogin): Promise<BegunCliLogin> {
    return this.logins.begin(input);
  }

  @ApiOperation({
    summary:
      'Sets the cookie `svc_session` once the log-in is approved, and only once. Until then, an error says whether it is pending, denied or expired.',
  })
  @Post('token')
  @HttpCode(200)
  @Public('requires the secret of a log-in that a person approved')
  @LimitedPerAddress('cli-polls', 'rateLimitCliPollsPerAddress')
  @Throws(CliLoginPending, CliLoginDenied, CliLoginExpired, NoTenant)
  @ApiOkResponse({ type: Me })
  async finish(@Body() { deviceCode }: FinishCliLogin, @Res({ passthrough: true }) response: Response): Promise<Me> {
    return this.withCookie(response, await this.logins.finish(deviceCode));
  }

  private withCookie(response: Response, { me, secret }: NewSession): Me {
    this.cookie.set(response, secret);
    return me;
  }
}
