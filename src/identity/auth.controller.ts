import { Body, Controller, Get, HttpCode, Ip, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller, Public, Session, type Caller, LimitedPerAddress } from '../common/access/index.js';
import { RateLimited, Throws } from '../common/problems/index.js';
import { AuthService } from './auth.service.js';
import { Login, Me, Signup, TradedToken } from './identity.dto.js';
import { EmailTaken, InvalidCredentials, SignupClosed } from './identity.problems.js';

@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @ApiOperation({ summary: 'Makes a tenant with its first user, and logs the user in.' })
  @Post('signup')
  @Public('anyone may ask; SIGNUP decides')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(SignupClosed, EmailTaken)
  @ApiCreatedResponse({ type: Me })
  signup(@Body() input: Signup, @Res({ passthrough: true }) response: Response): Promise<Me> {
    return this.auth.signUp(input, response);
  }

  @ApiOperation({ summary: 'Logs a user in: the answer sets the cookie `svc_session`.' })
  @Post('login')
  @HttpCode(200)
  @Public('this is where credentials are given')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(InvalidCredentials, RateLimited)
  @ApiOkResponse({ type: Me })
  login(@Body() input: Login, @Ip() address: string, @Res({ passthrough: true }) response: Response): Promise<Me> {
    return this.auth.logIn(input, address, response);
  }

  @ApiOperation({ summary: 'Says who is logged in.' })
  @Get('me')
  @Session()
  @ApiOkResponse({ type: Me })
  me(@CurrentCaller() caller: Caller): Promise<Me> {
    return this.auth.me(caller);
  }

  @ApiOperation({ summary: 'Ends the session, and with it every token it was traded for.' })
  @Post('logout')
  @HttpCode(204)
  @Session()
  @ApiNoContentResponse()
  logout(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.auth.logOut(caller, response);
  }

  @ApiOperation({ summary: 'Trades the session for a Bearer token of 15 minutes, for a console in the browser.' })
  @Post('token')
  @HttpCode(200)
  @Session()
  @ApiOkResponse({ type: TradedToken })
  token(@CurrentCaller() caller: Caller): Promise<TradedToken> {
    return this.auth.trade(caller);
  }
}
