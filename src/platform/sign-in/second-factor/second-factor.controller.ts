import { Body, Controller, Get, HttpCode, Ip, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentSession, LimitedPerAddress, Session, type SessionCaller } from '../../../common/access/index.js';
import { RateLimited, Throws } from '../../../common/problems/index.js';
import { AddressNotConfirmed, WrongPassword } from '../../accounts/index.js';
import {
  BeginSecondFactor,
  DisableSecondFactor,
  NewSecondFactor,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorShown,
  SecondFactorStatus,
} from './second-factor.dto.js';
import { SecondFactorActive, SecondFactorInvalid, SecondFactorMissing } from './second-factor.problems.js';
import { SecondFactorsService } from './second-factors.service.js';

/** The authenticator app of the user who is logged in. */
@ApiTags('auth')
@Controller('auth/second-factor')
export class SecondFactorController {
  constructor(private readonly factors: SecondFactorsService) {}

  @ApiOperation({ summary: 'Shows whether log-in asks the user for a code.' })
  @Get()
  @Session('account')
  @ApiOkResponse({ type: SecondFactorStatus })
  show(@CurrentSession() caller: SessionCaller): Promise<SecondFactorStatus> {
    return this.factors.show(caller);
  }

  @ApiOperation({
    summary:
      'Creates a secret for an authenticator app. Log-in asks for codes after a first code has confirmed the app.',
  })
  @Post()
  @Session('account')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(WrongPassword, RateLimited, AddressNotConfirmed, SecondFactorActive)
  @ApiCreatedResponse({ type: NewSecondFactor })
  begin(
    @CurrentSession() caller: SessionCaller,
    @Body() input: BeginSecondFactor,
    @Ip() address: string,
  ): Promise<NewSecondFactor> {
    return this.factors.begin(caller, input, address);
  }

  @ApiOperation({
    summary: 'Confirms the app with a first code, and returns ten recovery codes. No other answer contains them.',
  })
  @Post('confirm')
  @HttpCode(200)
  @Session('account')
  @Throws(SecondFactorMissing, SecondFactorInvalid, SecondFactorActive, RateLimited)
  @ApiOkResponse({ type: RecoveryCodes })
  confirm(@CurrentSession() caller: SessionCaller, @Body() input: SecondFactorCode): Promise<RecoveryCodes> {
    return this.factors.confirm(caller, input);
  }

  @ApiOperation({ summary: 'Verifies the second factor again, as the problem `second_factor_required` demands.' })
  @Post('verify')
  @HttpCode(200)
  @Session('account')
  @Throws(SecondFactorMissing, SecondFactorInvalid, RateLimited)
  @ApiOkResponse({ type: SecondFactorShown })
  verify(@CurrentSession() caller: SessionCaller, @Body() input: SecondFactorCode): Promise<SecondFactorShown> {
    return this.factors.verify(caller, input);
  }

  @ApiOperation({
    summary: 'Creates ten new recovery codes; the old ones stop working. No other answer contains them.',
  })
  @Post('recovery-codes')
  @HttpCode(200)
  @Session('account', { secondFactor: true })
  @Throws(SecondFactorMissing)
  @ApiOkResponse({ type: RecoveryCodes })
  renewRecoveryCodes(@CurrentSession() caller: SessionCaller): Promise<RecoveryCodes> {
    return this.factors.renewRecoveryCodes(caller);
  }

  @ApiOperation({ summary: 'Removes the second factor with its recovery codes. Needs the password and a code.' })
  @Post('disable')
  @HttpCode(204)
  @Session('account')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(WrongPassword, SecondFactorMissing, SecondFactorInvalid, RateLimited)
  @ApiNoContentResponse()
  disable(
    @CurrentSession() caller: SessionCaller,
    @Body() input: DisableSecondFactor,
    @Ip() address: string,
  ): Promise<void> {
    return this.factors.disable(caller, input, address);
  }
}
