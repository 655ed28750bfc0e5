import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { OutsideApi, ReadsForm } from '../../common/http/index.js';
import { BuyerCookie } from './sign-in/buyer-cookie.js';
import { BuyerService, type BuyerAnswer } from './buyer.service.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { BuyerPageFilter } from './buyer-page.filter.js';

/** Every path of the pages, without the leading slash. */
export const BUYER_PATHS: readonly string[] = [
  'buyer',
  ...['link', 'enter', 'licenses', 'release', 'rotate', 'leave'].map((name) => `buyer/${name}`),
];

/** Pages on which buyers manage their licenses. Each form carries a token of its session, which BuyerService checks. */
@ApiExcludeController()
@OutsideApi()
@Controller('buyer')
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class BuyerController {
  constructor(
    private readonly buyers: BuyerService,
    private readonly cookie: BuyerCookie,
  ) {}

  @Get()
  @Public('asks for an address')
  async start(@Req() request: Request, @Res() response: Response): Promise<void> {
    send(response, await this.buyers.start(this.cookie.read(request)));
  }

  @Post('link')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('answers every address alike; the link goes to its mailbox')
  async requestLink(@Body() form: object, @Res() response: Response): Promise<void> {
    send(response, await this.buyers.requestLink(form));
  }

  @Get('enter')
  @Public('shows a button')
  confirmLink(@Query('token') token: unknown, @Res() response: Response): void {
    send(response, this.buyers.confirmLink(token));
  }

  @Post('enter')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a mailed link')
  async signIn(@Body() form: object, @Res() response: Response): Promise<void> {
    const { secret, answer } = await this.buyers.signIn(form);
    this.cookie.set(response, secret);
    send(response, answer);
  }

  @Get('licenses')
  @Public("requires a buyer's session")
  async showLicenses(@Req() request: Request, @Res() response: Response): Promise<void> {
    send(response, await this.buyers.showLicenses(this.cookie.read(request)));
  }

  @Post('release')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async freeSeat(@Req() request: Request, @Body() form: object, @Res() response: Response): Promise<void> {
    send(response, await this.buyers.freeSeat(this.cookie.read(request), form));
  }

  @Post('rotate')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async rotate(@Req() request: Request, @Body() form: object, @Res() response: Response): Promise<void> {
    send(response, await this.buyers.rotate(this.cookie.read(request), form));
  }

  @Post('leave')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("requires a buyer's session and its form token")
  async signOut(@Req() request: Request, @Body() form: object, @Res() response: Response): Promise<void> {
    const answer = await this.buyers.signOut(this.cookie.read(request), form);
    this.cookie.clear(response);
    send(response, answer);
  }
}

function send(response: Response, answer: BuyerAnswer): void {
  if ('page' in answer) response.type('html').send(answer.page);
  else response.redirect(303, answer.redirect);
}
