import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpStatus,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  UseFilters,
  type HttpRedirectResponse,
} from '@nestjs/common';
import { ApiFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  CurrentSession,
  LimitedPerAddress,
  Public,
  Session,
  type SessionCaller,
} from '../../../common/access/index.js';
import { PageFilter } from '../../../common/http/index.js';
import { Throws } from '../../../common/problems/index.js';
import { AddressNotConfirmed, InvitationExpired, NoTenant, SessionCookie } from '../../accounts/index.js';
import { BeginSignIn, SignInUrl } from './oidc.dto.js';
import {
  AccountNotLinked,
  DomainNotAllowed,
  EmailNotVerified,
  IdentityTaken,
  NotInvited,
  OidcNotConfigured,
  ProviderAnswerInvalid,
  ProviderUnreachable,
  SignInExpired,
  SignInRefused,
} from './oidc.problems.js';
import { OidcService, type BegunSignIn, type FinishedSignIn } from './oidc.service.js';
import { SignInCookie } from './sign-in-cookie.js';

/** Sign-in through the OpenID provider of the settings. The first two routes are opened by a browser, which the provider sends back. */
@ApiTags('auth')
@Controller('auth/oidc')
@UseFilters(PageFilter)
export class OidcController {
  constructor(
    private readonly oidc: OidcService,
    private readonly signInCookie: SignInCookie,
    private readonly sessionCookie: SessionCookie,
  ) {}

  @ApiOperation({ summary: 'Sends the browser to the identity provider to sign in.' })
  @Get()
  @Redirect()
  @Public('callers authenticate at the provider')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(OidcNotConfigured, ProviderUnreachable, ProviderAnswerInvalid)
  @ApiFoundResponse({ description: 'The sign-in page of the provider.' })
  async begin(
    @Query() { returnTo }: BeginSignIn,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpRedirectResponse> {
    return redirectTo(await this.keep(response, await this.oidc.begin(returnTo)));
  }

  @ApiOperation({ summary: 'Ends a sign-in: sets the cookie `svc_session` and sends the browser on.' })
  @Get('callback')
  @Redirect()
  @Public('requires the code of the provider and the cookie of the browser that began')
  @LimitedPerAddress('login-address', 'rateLimitLoginPerAddress')
  @Throws(SignInExpired, SignInRefused, EmailNotVerified, DomainNotAllowed, NotInvited, InvitationExpired, NoTenant)
  @Throws(AccountNotLinked, IdentityTaken, OidcNotConfigured, ProviderUnreachable, ProviderAnswerInvalid)
  @ApiFoundResponse({ description: 'The page at returnTo.' })
  async finish(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<HttpRedirectResponse> {
    return this.go(
      response,
      await this.oidc.finish(
        queryOf(request),
        await this.signInCookie.take(request, response),
        this.sessionCookie.read(request),
      ),
    );
  }

  @ApiOperation({
    summary:
      'Starts linking the user to an account at the identity provider. Open the returned URL in the same browser.',
  })
  @Post('link')
  @HttpCode(200)
  @Session('account', { secondFactor: true })
  @Throws(AddressNotConfirmed, OidcNotConfigured, ProviderUnreachable, ProviderAnswerInvalid)
  @ApiOkResponse({ type: SignInUrl })
  async link(
    @CurrentSession() { userId }: SessionCaller,
    @Body() { returnTo }: BeginSignIn,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignInUrl> {
    return { url: await this.keep(response, await this.oidc.begin(returnTo, userId)) };
  }

  private go(response: Response, { url, session }: FinishedSignIn): HttpRedirectResponse {
    if (session !== null) this.sessionCookie.set(response, session.secret);
    return redirectTo(url);
  }

  private async keep(response: Response, { url, pending }: BegunSignIn): Promise<string> {
    await this.signInCookie.set(response, pending);
    return url;
  }
}

const redirectTo = (url: string): HttpRedirectResponse => ({ url, statusCode: HttpStatus.FOUND });

/** Returns the query of a request as it was sent. */
const queryOf = ({ originalUrl }: Request): string => originalUrl.split('?', 2)[1] ?? '';
