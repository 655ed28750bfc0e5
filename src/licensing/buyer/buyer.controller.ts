import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  Res,
  StreamableFile,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../common/http/index.js';
import { BrandingService, BUYER_PAGES, LOGOS } from '../branding/index.js';
import { BuyerCookie, BuyerSecret } from './sign-in/buyer-cookie.js';
import { EnterForm, FreeSeatForm, LinkForm, ReplaceCodeForm, SellerQuery, SessionForm } from './buyer.dto.js';
import { BuyerService, type BuyerAnswer } from './buyer.service.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { BuyerPageFilter } from './buyer-page.filter.js';

/** Pages on which buyers manage their licenses. Each form carries a token of its session, which BuyerService checks. */
@ApiExcludeController()
@OutsideApi()
@Controller(BUYER_PAGES)
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class BuyerController {
  constructor(
    private readonly buyers: BuyerService,
    private readonly cookie: BuyerCookie,
    private readonly branding: BrandingService,
  ) {}

  @ApiOperation({ summary: 'Asks for an e-mail address, or goes to the licenses of a session.' })
  @Get()
  @Public('asks for an address')
  async start(
    @BuyerSecret() secret: string | null,
    @Query() query: SellerQuery,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.buyers.start(secret, query));
  }

  @ApiOperation({ summary: 'Mails a link to a buyer.' })
  @Post('link')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('answers every address alike; the link goes to its mailbox')
  async requestLink(@Body() form: LinkForm, @Res() response: Response): Promise<void> {
    this.send(response, await this.buyers.requestLink(form));
  }

  @ApiOperation({ summary: 'Shows the button that uses a link: mail scanners open every link.' })
  @Get('enter')
  @Public('shows a button')
  async confirmLink(@Query() link: EnterForm, @Res() response: Response): Promise<void> {
    this.send(response, await this.buyers.confirmLink(link));
  }

  @ApiOperation({ summary: 'Uses a link and begins a session.' })
  @Post('enter')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a mailed link')
  async signIn(@Body() form: EnterForm, @Res() response: Response): Promise<void> {
    this.send(response, await this.buyers.signIn(form));
  }

  @ApiOperation({ summary: "Shows the buyer's licenses and devices." })
  @Get('licenses')
  @Public("requires a buyer's session")
  async showLicenses(@BuyerSecret() secret: string | null, @Res() response: Response): Promise<void> {
    this.send(response, await this.buyers.showLicenses(secret));
  }

  @ApiOperation({ summary: "Frees a device's seat." })
  @Post('release')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async freeSeat(
    @BuyerSecret() secret: string | null,
    @Body() form: FreeSeatForm,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.buyers.freeSeat(secret, form));
  }

  @ApiOperation({ summary: 'Replaces the code of a license, and shows the new one.' })
  @Post('rotate')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async replaceCode(
    @BuyerSecret() secret: string | null,
    @Body() form: ReplaceCodeForm,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.buyers.replaceCode(secret, form));
  }

  @ApiOperation({ summary: 'Ends the session.' })
  @Post('leave')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async signOut(
    @BuyerSecret() secret: string | null,
    @Body() form: SessionForm,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.buyers.signOut(secret, form));
  }

  @ApiOperation({ summary: "Serves a seller's logo, which never changes its content." })
  @Get(`${LOGOS}/:digest`)
  @Public('the same picture for everybody')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  @Header('Content-Security-Policy', "default-src 'none'; sandbox")
  logo(@Param('digest') sha256: string): Promise<StreamableFile> {
    return this.branding.openLogo(sha256);
  }

  private send(response: Response, { secret, ...answer }: BuyerAnswer): void {
    if (secret !== undefined) this.cookie.set(response, secret);
    sendPage(response, answer);
  }
}
