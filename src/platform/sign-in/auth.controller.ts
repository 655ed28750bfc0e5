import { Body, Controller, Get, HttpCode, Ip, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentSession, LimitedPerAddress, Public, Session, type SessionCaller } from '../../common/access/index.js';
import { RateLimited, SecondFactorRequired, Throws } from '../../common/problems/index.js';
import { SignInMethods } from './oidc/oidc.dto.js';
import { ExchangedToken } from '../access/index.js';
import {
  EmailTaken,
  InvalidCredentials,
  Me,
  NeedsPasswordLogin,
  NoTenant,
  SessionCookie,
  Signup,
  SignupClosed,
  TenantNotFound,
} from '../accounts/index.js';
import { AuthService, type NewSession } from './auth.service.js';
import { Login, SwitchTenant } from './auth.dto.js';
import { SecondFactorInvalid } from './second-factor/second-factor.problems.js';

/** Sign-up, log-in and the session. */
@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly cookie: SessionCookie,
  ) {}

  @ApiOperation({ summary: 'Creates a tenant with its first user, and logs the user in.' })
  @Post('signup')
  @Public('anyone may sign up when SIGNUP allows it')
  @NeedsPasswordLogin()
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(SignupClosed, EmailTaken)
  @ApiCreatedResponse({ type: Me })
  async signup(@Body() input: Signup, @Res({ passthrough: true }) response: Response): Promise<Me> {
    return this.withCookie(response, await this.auth.signUp(input));
  }

  @ApiOperation({ summary: 'Logs a user in and sets the cookie `svc_session`.' })
  @Post('login')
  @HttpCode(200)
  @Public('callers authenticate here')
  @NeedsPasswordLogin()
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(InvalidCredentials, SecondFactorRequired, SecondFactorInvalid, NoTenant, RateLimited)
  @ApiOkResponse({ type: Me })
  async login(
    @Body() input: Login,
    @Ip() address: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Me> {
    return this.withCookie(response, await this.auth.logIn(input, address));
  }

  @ApiOperation({ summary: 'Lists the ways to log in: password, sign-up and identity provider.' })
  @Get('methods')
  @Public('shows what a log-in page needs')
  @ApiOkResponse({ type: SignInMethods })
  methods(): Promise<SignInMethods> {
    return this.auth.methods();
  }

  @ApiOperation({
    summary: 'Retrieves the user who is logged in, the current tenant of the session, and all tenants of the user.',
  })
  @Get('me')
  @Session('account')
  @ApiOkResponse({ type: Me })
  me(@CurrentSession() caller: SessionCaller): Promise<Me> {
    return this.auth.me(caller);
  }

  @ApiOperation({ summary: 'Ends the session and revokes every token it was exchanged for.' })
  @Post('logout')
  @HttpCode(204)
  @Session('account')
  @ApiNoContentResponse()
  logout(@CurrentSession() caller: SessionCaller, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.withoutCookie(response, this.auth.logOut(caller));
  }

  @ApiOperation({
    summary: 'Exchanges the session for an access token that lasts 15 minutes, for a console in the browser.',
  })
  @Post('token')
  @HttpCode(200)
  @Session('account')
  @ApiOkResponse({ type: ExchangedToken })
  token(@CurrentSession() caller: SessionCaller): Promise<ExchangedToken> {
    return this.auth.exchange(caller);
  }

  @ApiOperation({
    summary: 'Switches the session to another tenant of the user, and revokes every token it was exchanged for.',
  })
  @Post('tenant')
  @HttpCode(200)
  @Session('account')
  @Throws(TenantNotFound)
  @ApiOkResponse({ type: Me })
  switchTenant(@CurrentSession() caller: SessionCaller, @Body() input: SwitchTenant): Promise<Me> {
    return this.auth.switchTenant(caller, input);
  }

  private withCookie(response: Response, { me, secret }: NewSession): Me {
    this.cookie.set(response, secret);
    return me;
  }

  private withoutCookie(response: Response, ended: Promise<void>): Promise<void> {
    this.cookie.clear(response);
    return ended;
  }
}
