import { Body, Controller, Get, HttpCode, Post, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { LimitedPerAddress, Public } from '../../common/access/index.js';
import { OutsideApi, ReadsForm, sendPage } from '../../common/http/index.js';
import { BUYER_PAGES } from '../branding/index.js';
import { BuyerPageFilter, EnterForm, SameOriginGuard } from '../buyer/index.js';
import { TrialConfirmationsService } from './trial-confirmations.service.js';

/** The page at the link that starts a trial. */
@ApiExcludeController()
@OutsideApi()
@Controller(`${BUYER_PAGES}/trial`)
@UseFilters(BuyerPageFilter)
@UseGuards(SameOriginGuard)
export class TrialPagesController {
  constructor(private readonly confirmations: TrialConfirmationsService) {}

  @ApiOperation({ summary: 'Shows the button that starts a trial: mail scanners open every link.' })
  @Get()
  @Public('requires the secret of a mailed link')
  async show(@Query() { token }: EnterForm, @Res() response: Response): Promise<void> {
    sendPage(response, await this.confirmations.show(token));
  }

  @ApiOperation({ summary: 'Starts the trial of a mailed link.' })
  @Post()
  @HttpCode(200)
  @ReadsForm()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @Public('requires the secret of a mailed link')
  async confirm(@Body() { token }: EnterForm, @Res() response: Response): Promise<void> {
    sendPage(response, await this.confirmations.confirm(token));
  }
}
