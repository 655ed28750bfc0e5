import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CurrentSession,
  LimitedPerAddress,
  Public,
  Session,
  type SessionCaller,
} from '../../../common/access/index.js';
import { RateLimited, Throws } from '../../../common/problems/index.js';
import { NeedsPasswordLogin } from './password-login.guard.js';
import { PasswordResetsService } from './reset/password-resets.service.js';
import { ChangePassword, RequestReset, ResetPassword } from './passwords.dto.js';
import { MailNotConfigured, ResetLinkInvalid, WrongPassword } from './passwords.problems.js';
import { PasswordsService } from './passwords.service.js';

/** The password of a user. */
@ApiTags('auth')
@Controller('auth/password')
export class PasswordsController {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly resets: PasswordResetsService,
  ) {}

  @ApiOperation({
    summary: "Changes the user's password, and ends all other sessions and the tokens they were exchanged for.",
  })
  @Post()
  @HttpCode(204)
  @Session('account', { secondFactor: true })
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @NeedsPasswordLogin()
  @Throws(WrongPassword, RateLimited)
  @ApiNoContentResponse()
  change(@CurrentSession() caller: SessionCaller, @Body() input: ChangePassword, @Ip() address: string): Promise<void> {
    return this.passwords.change(caller, input, address);
  }

  @ApiOperation({
    summary: 'Mails a password reset link if a user has this address. The response is the same if none does.',
  })
  @Post('reset-request')
  @HttpCode(202)
  @Public('answers every address alike; the link goes to its mailbox')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @NeedsPasswordLogin()
  @Throws(MailNotConfigured, RateLimited)
  @ApiAcceptedResponse()
  request(@Body() input: RequestReset): Promise<void> {
    return this.resets.request(input);
  }

  @ApiOperation({
    summary:
      'Sets a new password with the secret of a mailed link, which works once, and ends all sessions of the user.',
  })
  @Post('reset')
  @HttpCode(204)
  @Public('requires the secret of a mailed link')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @NeedsPasswordLogin()
  @Throws(ResetLinkInvalid)
  @ApiNoContentResponse()
  reset(@Body() input: ResetPassword): Promise<void> {
    return this.resets.reset(input);
  }
}
