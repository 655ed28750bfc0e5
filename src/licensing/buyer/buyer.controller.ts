import { Body, Controller, Get, HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { OutsideApi, ReadsForm } from '../../common/http/index.js';
import { BuyerService } from './buyer.service.js';
import { OwnFormGuard } from './own-form.guard.js';
import { PageFilter } from './page.filter.js';

/** Every path of the pages, without its slash. */
export const BUYER_PATHS: readonly string[] = [
  'buyer',
  ...['link', 'enter', 'licenses', 'release', 'rotate', 'leave'].map((name) => `buyer/${name}`),
];

/** Pages for people who have bought something. */
@ApiExcludeController()
@OutsideApi()
@Controller('buyer')
@UseFilters(PageFilter)
@UseGuards(OwnFormGuard)
export class BuyerController {
  constructor(private readonly pages: BuyerService) {}

  @Get()
  @Public('asks for an address')
  home(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.home(request, response);
  }

  @Post('link')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('says the same to everybody; what it tells goes to the mailbox')
  ask(@Body() form: object, @Res() response: Response): Promise<void> {
    return this.pages.ask(form, response);
  }

  @Get('enter')
  @Public('shows a button')
  enter(@Req() request: Request, @Res() response: Response): void {
    this.pages.enter(request.query['token'], response);
  }

  @Post('enter')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('wants the secret of a link that was mailed')
  begin(@Body() form: object, @Res() response: Response): Promise<void> {
    return this.pages.begin(form, response);
  }

  @Get('licenses')
  @Public("wants a buyer's session")
  licenses(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.pages.licenses(request, response);
  }

  @Post('release')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("wants a buyer's session and the token of its forms")
  release(@Req() request: Request, @Body() form: object, @Res() response: Response): Promise<void> {
    return this.pages.release(request, form, response);
  }

  @Post('rotate')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("wants a buyer's session and the token of its forms")
  rotate(@Req() request: Request, @Body() form: object, @Res() response: Response): Promise<void> {
    return this.pages.rotate(request, form, response);
  }

  @Post('leave')
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public("wants a buyer's session and the token of its forms")
  leave(@Req() request: Request, @Body() form: object, @Res() response: Response): Promise<void> {
    return this.pages.leave(request, form, response);
  }
}
